"""Named checks over structured outputs. Standard library only, no I/O: what verifiers are written with."""

from kwsuite.checking.case import Case
from kwsuite.checking.checks import Check, Checks
from kwsuite.checking.numbers import EXACT, Tolerance, close, read_number, same_number
from kwsuite.checking.readings import Unreadable, plain_text, read_json, read_table
from kwsuite.checking.structures import JsonKey, json_faults
from kwsuite.checking.values import same_value

__all__ = [
    "EXACT",
    "Case",
    "Check",
    "Checks",
    "JsonKey",
    "Tolerance",
    "Unreadable",
    "close",
    "json_faults",
    "plain_text",
    "read_json",
    "read_number",
    "read_table",
    "same_number",
    "same_value",
]
