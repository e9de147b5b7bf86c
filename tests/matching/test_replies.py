"""Reading what models write."""

import json
from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.problem_types import read_type
from kwsuite.matching.replies import read_reply
from kwsuite.matching.reply_xml import read_xml

XML = (
    "<problems><problem><location>Fees & costs < 5</location><type>factual error</type>"
    "<description>Wrong &amp; bad</description></problem></problems>"
)
JSON = '{"problems": [{"location": "a b", "type": "ambiguity", "description": "no date"}]}'
MARKDOWN = "### Problem 1\n- **Location**: a b\n- **Type**: ambiguity\n- **Description**: no date\n  is set"


def described(text: str, asked: ReplyFormat = "xml") -> list[str]:
    return [finding.description for finding in read_reply(text, asked).findings]


@pytest.mark.parametrize(
    ("text", "format_", "description"),
    [
        pytest.param(XML, "xml", "Wrong & bad", id="xml"),
        pytest.param(f"Sure, here:\n```xml\n{XML}\n```\nHope it helps.", "xml", "Wrong & bad", id="xml-fenced"),
        pytest.param(
            "<问题列表><问题><位置>第3段</位置><类型>事实错误</类型><描述>写错了</描述></问题></问题列表>",
            "xml",
            "写错了",
            id="xml-zh",
        ),
        pytest.param(
            "<问题><问题><位置>第3段</位置><描述>写错了</描述></问题></问题>", "xml", "写错了", id="xml-nested-name"
        ),
        pytest.param(
            '<issue type="ambiguity"><quote>x</quote><explanation>why</explanation></issue>',
            "xml",
            "why",
            id="xml-attribute",
        ),
        pytest.param(JSON, "json", "no date", id="json"),
        pytest.param(f"```json\n{JSON}\n```", "json", "no date", id="json-fenced"),
        pytest.param(
            'So [{"位置": "a", "问题类型": "模糊", "描述": "没有日期"}] 完', "json", "没有日期", id="json-zh-prose"
        ),
        pytest.param(
            '{"problems":[{"位置":"文中"尽快"一词","描述":"说"尽快"没有期限"}]}',
            "json",
            '说"尽快"没有期限',
            id="json-bare-quotes",
        ),
        pytest.param(
            '{"location":"a","description":"one"}\n\n{"location":"b","description":"one"}',
            "json",
            "one",
            id="json-lines",
        ),
        pytest.param(MARKDOWN, "markdown", "no date\nis set", id="markdown"),
        pytest.param("1. **位置**：第2段\n   **类型**：模糊\n   **描述**：不清", "markdown", "不清", id="markdown-zh"),
        pytest.param(
            "| 位置 | 类型 | 描述 |\n|---|---|---|\n| 第1段 | 模糊 | 不清 |", "markdown", "不清", id="markdown-table"
        ),
        pytest.param(f"<think>{JSON.replace('no date', 'draft')}</think>{JSON}", "json", "no date", id="reasoning"),
    ],
)
@pytest.mark.parametrize("asked", ["xml", "json", "markdown"])
def test_a_list_is_read_whatever_was_asked_for(
    text: str, format_: ReplyFormat, description: str, asked: ReplyFormat
) -> None:
    reply = read_reply(text, asked)
    assert reply.format == format_
    assert reply.findings[0].description == description


@pytest.mark.parametrize(
    "text",
    [
        "<problems></problems>",
        "<problems/>",
        '{"problems": []}',
        "No problems found.",
        "未发现问题。",
        "文中没有发现明显的问题",
        "经核查，全文未发现任何问题。",
        "I checked every sum and date.\n\nNo problems found.",
        "[]",
        "```json\n[]\n```",
        "I checked every sum and date.\n\n[]",
    ],
)
def test_an_empty_list_is_an_answer(text: str) -> None:
    reply = read_reply(text)
    assert reply.readable
    assert reply.reported == 0


PROSE = '- Location: "clause 4"\n- Description: this agrees with clause 2, so it is no problem.\n\n'


@pytest.mark.parametrize(("asked", "empty"), [("xml", "<problems></problems>"), ("json", '{"problems": []}')])
def test_an_empty_list_in_the_format_asked_for_wins_over_prose_that_reads_like_findings(
    asked: ReplyFormat, empty: str
) -> None:
    reply = read_reply(PROSE + empty, asked)
    assert (reply.format, reply.reported) == (asked, 0)


def test_an_empty_list_that_breaks_off_leaves_the_answer_to_the_other_formats() -> None:
    assert read_reply(PROSE + "<problems>", "xml").format == "markdown"


def test_an_empty_list_in_a_format_not_asked_for_leaves_the_answer_to_one_with_findings() -> None:
    assert read_reply(PROSE + "<problems></problems>", "json").reported == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "The document is well structured.",
        "合同已通读，条款齐全。",
        "I can't help with that.",
        "Note: see below.",
        "I will answer in <problems> tags.",
        "<think>No problems found.",
        '{"ok": true}',
        "The variable is set to [] and never filled.",
        "The sum on page 2 is wrong.\n\nNo other problems found.",
        "### Sums\nThe fee is wrong.\n### Dates\nNo problems found.",
    ],
)
def test_a_reply_without_a_list_cannot_be_read(text: str) -> None:
    assert not read_reply(text).readable


def test_a_finding_without_a_description_is_refused_and_still_counts() -> None:
    reply = read_reply("<problem><location>x</location><type>ambiguity</type></problem>")
    assert [one.reason for one in reply.refused] == ["no_description"]
    assert reply.reported == 1


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("- **Location**: N/A\n- **Type**: N/A\n- **Description**: No problems found.", "markdown"),
        ("| Location | Description |\n|---|---|\n| N/A | No problems found. |", "markdown"),
        ("<problems><problem><description>未发现问题。</description></problem></problems>", "xml"),
        ('{"problems": [{"location": "N/A", "description": "No problems found."}]}', "json"),
    ],
    ids=["markdown", "table", "xml", "json"],
)
def test_an_item_that_says_nothing_was_found_is_an_answer_and_no_finding(text: str, asked: ReplyFormat) -> None:
    reply = read_reply(text, asked)
    assert (reply.format, reply.reported) == (asked, 0)


def test_a_finding_whose_description_ends_in_a_clean_bill_is_kept() -> None:
    text = "- **Location**: a\n- **Description**: The sum is wrong.\n\nNo errors found."
    assert read_reply(text, "markdown").reported == 1


def test_a_finding_without_a_place_or_type_is_kept() -> None:
    reply = read_reply('{"problems": [{"description": "something is off"}]}')
    assert (reply.findings[0].location, reply.findings[0].type) == ("", None)


def test_a_copied_template_is_refused() -> None:
    reply = read_reply("<problem><location>...</location><type>...</type><description>...</description></problem>")
    assert [one.reason for one in reply.refused] == ["template_echoed"]


@pytest.mark.parametrize(
    ("text", "kept", "refused"),
    [
        (XML.removesuffix("</problems>") + "<problem><location>b</location><descr", 1, 1),
        (JSON.removesuffix("]}") + ', {"location": "b", "type": "amb', 1, 1),
        (XML.removesuffix("</description></problem></problems>"), 1, 0),
    ],
)
def test_c15_a_cut_tail_keeps_what_is_whole_and_says_so(text: str, kept: int, refused: int) -> None:
    reply = read_reply(text)
    assert reply.truncated
    assert (len(reply.findings), len(reply.refused)) == (kept, refused)
    assert all(one.reason == "truncated" for one in reply.refused)


@pytest.mark.parametrize(
    ("text", "location"),
    [
        ("- **Location**: | 4 | 1 May | £21,800 |\n- **Description**: miscounted", "| 4 | 1 May | £21,800 |"),
        ("- **Location**: count = 0;\n- **Description**: never read", "count = 0;"),
        ("Type: ambiguity | Location: as soon as possible |\nDescription: no date", "as soon as possible"),
        ("Location: as soon as possible; Description: no date", "as soon as possible"),
    ],
    ids=["a-row-of-a-table", "a-statement", "last-of-a-line-of-fields", "first-of-a-line-of-fields"],
)
def test_a_quoted_place_keeps_its_last_mark_unless_that_parts_fields(text: str, location: str) -> None:
    assert [finding.location for finding in read_reply(text, "markdown").findings] == [location]


def test_c9_the_last_of_two_lists_is_read_and_the_difference_is_noted() -> None:
    reply = read_reply(JSON.replace("no date", "draft") + "\nBetter:\n" + JSON, "json")
    assert [finding.description for finding in reply.findings] == ["no date"]
    assert reply.several_lists


MENTION = "\n\n(Had I found nothing, I would have answered EMPTY.)"
EMPTY_JSON = '{"problems": []}'


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param(XML + MENTION.replace("EMPTY", "<problems></problems>"), "xml", id="xml-mentioned"),
        pytest.param(f"{XML}\n\n<results></results>", "xml", id="xml-other-name"),
        pytest.param(f"{XML}\n\n<findings>One problem in all.</findings>", "xml", id="xml-summary"),
        pytest.param(JSON + MENTION.replace("EMPTY", EMPTY_JSON), "json", id="json"),
        pytest.param(JSON.replace('{"p', '{"errors": [], "p'), "json", id="json-other-name"),
        pytest.param(
            JSON.replace("a b", 'the "fee"') + MENTION.replace("EMPTY", EMPTY_JSON), "json", id="json-damaged"
        ),
    ],
)
def test_an_empty_list_mentioned_beside_the_real_one_erases_nothing(text: str, asked: ReplyFormat) -> None:
    assert read_reply(text, asked).reported == 1


@pytest.mark.parametrize(
    ("full", "empty", "asked"), [(XML, "<problems></problems>", "xml"), (JSON, EMPTY_JSON, "json")]
)
def test_an_empty_list_on_lines_of_its_own_withdraws_what_came_before(
    full: str, empty: str, asked: ReplyFormat
) -> None:
    reply = read_reply(f"{full}\n\nOn reflection this stands in clause 2:\n\n{empty}\n", asked)
    assert (reply.reported, reply.several_lists) == (0, True)


def test_what_stands_beside_an_empty_list_in_one_object_is_no_finding() -> None:
    text = 'So: {"problems": [], "checked": [{"location": "a", "description": "the sum is right"}]}'
    assert read_reply(text, "json").reported == 0


def test_c20_items_of_the_wrong_shape_are_refused_one_by_one() -> None:
    reply = read_reply('{"problems": [true, null, ["x"], {"location": "a", "description": "d"}]}', "json")
    assert [one.reason for one in reply.refused] == ["not_an_object"] * 3
    assert described('{"problems": [true, {"location": "a", "description": "d"}]}', "json") == ["d"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (XML.replace("Wrong", 'The body {"description": "x"} is wrong'), "xml"),
        (JSON.replace("no date", "<problem><description>x</description></problem> stays open"), "json"),
    ],
)
def test_the_format_that_was_asked_for_is_tried_first(text: str, asked: ReplyFormat) -> None:
    reply = read_reply(text, asked)
    assert (reply.format, reply.reported) == (asked, 1)
    assert reply.findings[0].description != "x"


def test_a_line_break_inside_a_json_string_is_read() -> None:
    assert described(JSON.replace("no date", "no\ndate"), "json") == ["no\ndate"]


def test_a_location_object_is_written_out() -> None:
    reply = read_reply('{"problems": [{"location": {"paragraph": 3, "sentence": 2}, "description": "d"}]}', "json")
    assert reply.findings[0].location == "paragraph 3, sentence 2"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Factual_Error", "factual_error"),
        ("事实性错误 (factual error)", "factual_error"),
        ("逻辑矛盾", "logical_inconsistency"),
        ("Contradiction", "logical_inconsistency"),
        ("论证缺陷", "argument_flaw"),
        ("模糊与歧义", "ambiguity"),
        ("数据与引用问题", "data_citation"),
        ("预设与假设问题", "hidden_assumption"),
        ("factual error / ambiguity", None),
        ("style", None),
        ("", None),
    ],
)
def test_a_type_is_read_in_either_language_and_never_guessed(label: str, expected: str | None) -> None:
    assert read_type(label) == expected


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    reply = read_reply(text)
    assert reply.readable or reply.reported == 0


WORDS = st.text(alphabet="abc 甲乙。，\"'{}[]<>&\\*|:：", min_size=1, max_size=30).filter(
    lambda text: any(c.isalnum() for c in text)
)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=4))
def test_valid_json_keeps_every_finding(pairs: list[tuple[str, str]]) -> None:
    items = [{"location": f"at {place}", "description": f"is {text}"} for place, text in pairs]
    reply = read_reply(json.dumps({"problems": items}, ensure_ascii=False), "json")
    assert reply.reported == len(pairs)
    assert [finding.description for finding in reply.findings] == [f"is {text}".strip() for _, text in pairs]


@given(
    st.lists(st.sampled_from([XML, JSON, MARKDOWN, "<problem>", "```", '{"problems": [', "描述：x", "\n"]), max_size=6)
)
def test_scraps_of_lists_are_read_without_an_error(scraps: list[str]) -> None:
    reply = read_reply("".join(scraps))
    assert reply.readable or reply.reported == 0


HOSTILE = {
    "half a surrogate, escaped": r'[{"quote": "abc", "description": "x \ud800 y"}]',
    "half a surrogate, bare": "<problems><problem><description>x \ud800</description></problem></problems>",
    "a number of 5,000 digits": '{"problems": [{"quote": "abc", "description": ' + "9" * 5000 + "}]}",
    "lists in lists": '{"problems": [{"quote": ' + "[" * 900 + "]" * 900 + ', "description": "x"}]}',
    "objects in objects": '{"problems": [{"quote": ' + '{"a": ' * 60 + "1" + "}" * 60 + ', "description": "x"}]}',
    "brackets without end": "[" * 5000,
    "thinking without end": "<think>" * 20_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("asked", ["xml", "json", "markdown"])
def test_a_reply_that_no_list_is_made_of_is_read_and_can_be_logged(text: str, asked: ReplyFormat) -> None:
    reply = read_reply(text, asked)
    assert reply.model_dump_json().encode()


def test_prose_with_a_huge_number_does_not_cost_the_list_beside_it() -> None:
    assert described(f"[1{'0' * 5000}] {JSON}", "json") == ["no date"]


class _Counted(str):
    """Text that counts how much of it is copied out."""

    copied = 0

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = super().__getitem__(key)
        self.copied += len(part)
        return part


def test_many_lists_do_not_each_cost_a_copy_of_the_rest_of_the_reply() -> None:
    text = _Counted("<problems></problems>" * 200)
    read_xml(text)
    assert text.copied < 20 * len(text)
