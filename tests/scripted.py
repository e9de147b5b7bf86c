"""Models that do as told and remember what they were shown, and a helper that runs one task."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.scorer import Score
from inspect_ai.tool import ToolCall, ToolInfo

Reply = str | ModelOutput | Exception


def output(text: str, stop_reason: StopReason = "stop") -> ModelOutput:
    """A reply with usage set, so that no tokenizer is fetched."""
    made = ModelOutput.from_content("scripted", text, stop_reason=stop_reason)
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


@dataclass
class Call:
    """One call that a scripted model got."""

    messages: list[ChatMessage]
    config: GenerateConfig
    tools: list[ToolInfo] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """All its text."""
        return "\n".join(message.text for message in self.messages)

    @property
    def criterion(self) -> str:
        """The criterion that a judge was asked about."""
        return self.prompt.split("Criterion:\n", 1)[1].split("\n\n", 1)[0]


@dataclass
class Scripted:
    """A model whose replies come from a function of the call; it records every call."""

    reply: Callable[[Call], Reply]
    name: str = "model"
    calls: list[Call] = field(default_factory=list)

    @property
    def model(self) -> Model:
        def answer(messages: list[ChatMessage], tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
            call = Call(list(messages), config, list(tools))
            self.calls.append(call)
            given = self.reply(call)
            if isinstance(given, Exception):
                raise given
            return given if isinstance(given, ModelOutput) else output(given)

        return get_model(f"mockllm/{self.name}", memoize=False, custom_outputs=answer)


def says(text: Reply, name: str = "model") -> Scripted:
    """A model that always replies the same."""
    return Scripted(lambda call: text, name)


def acts(*turns: Any, name: str = "model") -> Scripted:
    """An agent that takes its turns in order: a text ends it, a (tool, arguments) or a list of them are calls.

    After the last turn it says "Done.".
    """

    def reply(call: Call) -> Reply:
        taken = sum(message.role == "assistant" for message in call.messages)
        turn = turns[taken] if taken < len(turns) else "Done."
        if isinstance(turn, str | Exception | ModelOutput):
            return turn
        calls = [
            ToolCall(id=f"call-{taken}-{number}", function=tool, arguments=arguments)
            for number, (tool, arguments) in enumerate(turn if isinstance(turn, list) else [turn])
        ]
        message = ChatMessageAssistant(content="", tool_calls=calls)
        made = output("")
        made.choices = [ChatCompletionChoice(message=message, stop_reason="tool_calls")]
        return made

    return Scripted(reply, name)


def verdicts(states: dict[str, str], default: str = "MET", name: str = "grader") -> Scripted:
    """A grader that replies by criterion text: a verdict word, or any raw reply."""

    def reply(call: Call) -> Reply:
        state = states.get(call.criterion, default)
        return f"Because.\nVERDICT: {state}" if state in ("MET", "NOT_MET", "CANNOT_TELL") else state

    return Scripted(reply, name)


def run(task: Task, candidate: Scripted, grader: Any = None, world: Any = None, **options: Any) -> EvalLog:
    """Run a task for real and give its log."""
    bound = {"grader": grader, "world": world}
    roles = {r: m.model if isinstance(m, Scripted) else m for r, m in bound.items() if m is not None}
    options = {"display": "none", "log_realtime": False, **options}
    return inspect_eval(task, model=candidate.model, model_roles=roles, **options)[0]


def run_one(task: Task, candidate: Scripted, grader: Any = None, **options: Any) -> EvalSample:
    """Run a task of one sample for real and give the sample; the run must succeed."""
    log = run(task, candidate, grader, **options)
    assert log.status == "success", log.error or [sample.error.message for sample in log.samples or [] if sample.error]
    assert log.samples is not None
    assert len(log.samples) == 1
    return log.samples[0]


def score_of(sample: EvalSample, scorer: str = "conjunctive_gate") -> Score:
    """The score that a scorer gave a sample."""
    assert sample.scores is not None
    return sample.scores[scorer]


RUBRIC = {
    "mandatory": ["Q m1?", "Q m2?"],
    "good_to_have": ["Q g1?", "Q g2?"],
    "ideal": ["Q i1?"],
}


def write_item(folder: Path, name: str = "item-a", **changes: Any) -> Path:
    """Write an authored item and give its folder."""
    import yaml

    item = folder / name
    (item / "reference_files").mkdir(parents=True)
    (item / "reference_files" / "note.md").write_text("The price is 40.\n", encoding="utf-8")
    fields: dict[str, Any] = {
        "id": name,
        "task": "Write the memo on the price.",
        "category": "signalling",
        "reference_files": ["reference_files/note.md"],
        "rubric": RUBRIC,
        "ground_truth": "The truth is seventeen.",
        "metadata": {"key_insight": "the secret insight"},
        "framings": {"hinted": "Look at the price.", "specified": "The price is a lie."},
        **changes,
    }
    text = yaml.safe_dump({key: value for key, value in fields.items() if value is not None}, sort_keys=False)
    (item / "task.yaml").write_text(text, encoding="utf-8")
    return item
