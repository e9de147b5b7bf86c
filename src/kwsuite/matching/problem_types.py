"""The six types of problem, and how a type written by a model is read."""

import re
import unicodedata
from typing import Literal, NamedTuple, get_args

ProblemType = Literal[
    "factual_error",
    "logical_inconsistency",
    "argument_flaw",
    "ambiguity",
    "data_citation",
    "hidden_assumption",
]

PROBLEM_TYPES: tuple[ProblemType, ...] = get_args(ProblemType)

Language = Literal["en", "zh"]


class TypeWording(NamedTuple):
    """One problem type as it is shown to people and models, in one language."""

    label: str
    """Short name."""
    definition: str
    """One sentence."""


WORDINGS: dict[Language, dict[ProblemType, TypeWording]] = {
    "en": {
        "factual_error": TypeWording("factual error", "A statement that disagrees with well-established fact."),
        "logical_inconsistency": TypeWording(
            "logical inconsistency", "Two parts of the document that cannot both be true."
        ),
        "argument_flaw": TypeWording("argument flaw", "A conclusion that its stated grounds do not carry."),
        "ambiguity": TypeWording("ambiguity", "A wording that careful readers can act on in different ways."),
        "data_citation": TypeWording(
            "data or citation", "A figure or source that is missing, outdated, miscounted or wrongly cited."
        ),
        "hidden_assumption": TypeWording(
            "hidden assumption", "An unstated condition on which the text rests and which may not hold."
        ),
    },
    "zh": {
        "factual_error": TypeWording("事实错误", "陈述与公认的事实不符。"),
        "logical_inconsistency": TypeWording("逻辑不一致", "文中两处说法不能同时成立。"),
        "argument_flaw": TypeWording("论证缺陷", "给出的理由撑不起所下的结论。"),
        "ambiguity": TypeWording("模糊或歧义", "措辞不清，认真的读者会作出不同的理解。"),
        "data_citation": TypeWording("数据或引用问题", "数据或来源缺失、过时、算错，或引用有误。"),
        "hidden_assumption": TypeWording("隐含假设", "文中依赖一个没有说明、又未必成立的前提。"),
    },
}

# Longer wordings come from what models were seen to write for these types; a label that holds the stems of two
# types is left unread rather than guessed.
_STEMS: dict[ProblemType, tuple[str, ...]] = {
    "factual_error": ("factual", "fact error", "incorrect fact", "misinformation", "事实", "常识错误"),
    "logical_inconsistency": ("inconsisten", "contradict", "conflict", "矛盾", "不一致", "冲突"),
    "argument_flaw": ("argument", "reasoning", "fallac", "non sequitur", "unsupported", "论证", "推理", "谬误"),
    "ambiguity": ("ambigu", "vague", "unclear", "模糊", "歧义", "含糊", "不明确", "表述不清"),
    "data_citation": ("data", "citation", "source", "statistic", "calculation", "数据", "引用", "来源", "计算"),
    "hidden_assumption": ("assum", "presuppos", "premise", "假设", "预设", "前提"),
}


def read_type(label: str) -> ProblemType | None:
    """Read a type as a model wrote it, in either language.

    Returns:
        The type; None for an empty, unknown or double label ("factual error / ambiguity").
    """
    plain = " ".join(re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", label).casefold()).split())
    if plain.replace(" ", "_") in PROBLEM_TYPES:
        return next(name for name in PROBLEM_TYPES if name == plain.replace(" ", "_"))
    named = [name for name, stems in _STEMS.items() if any(stem in plain for stem in stems)]
    return named[0] if len(named) == 1 else None
