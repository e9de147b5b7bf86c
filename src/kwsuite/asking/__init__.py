"""Asking a model for an answer that must be readable."""

from kwsuite.asking.ask import Answer, NoAnswer, Question, ask
from kwsuite.asking.fence import Fence
from kwsuite.asking.reply import Fault
from kwsuite.asking.verdict_reply import Decision, read_verdict

__all__ = ["Answer", "Decision", "Fault", "Fence", "NoAnswer", "Question", "ask", "read_verdict"]
