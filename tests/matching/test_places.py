"""Finding a reported place in the original."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kwsuite.matching.findings import Finding
from kwsuite.matching.normalised import normalise
from kwsuite.matching.places import Place, Source, locate, locate_quote
from kwsuite.matching.references import chinese_number

CONTRACT = (
    "# Supply agreement\n\n"
    "The Supplier shall not deliver the goods later than thirty days after the date of the order. Harrow pays the "
    "freight within 15 days.\n\n"
    "4.2 Payment is due on receipt. Late fees apply after the second reminder.\n\n"
    "On Monday, Harrow delivered the parts to the Lindqvist plant two days late."
)
VERTRAG = (
    "设备合同\n\n本合同由甲方负责采购设备并承担运输的费用，乙方负责安装。张伟负责本季度的采购计划。\n\n"
    "第五条 乙方应在三十日内完成安装调试工作。逾期的，甲方有权解除合同。"
)


def quoted(text: str, quote: str) -> tuple[str, list[str]]:
    place = locate_quote(quote, Source(text))
    return place.state, [span.of(text) for span in place.spans]


def at(text: str, location: str) -> tuple[str, list[str]]:
    place = locate(Finding(location=location, description="x"), Source(text))
    return place.state, [span.of(text) for span in place.spans]


def fault(text: str, quote: str) -> str | None:
    return locate_quote(quote, Source(text)).fault


def test_c131_offsets_refer_to_the_original_under_normalisation() -> None:
    text = "A re\u0301sume\u0301 shows “loss” here"
    place = locate_quote('résumé shows "loss"', Source(text))
    assert place.state == "normalised"
    assert place.spans[0].of(text) == "re\u0301sume\u0301 shows “loss”"


@pytest.mark.parametrize("before", ["😀", "𝒳𝒴", "👩‍🔬 ", "𠮷"])
def test_c132_offsets_count_code_points_after_wide_characters(before: str) -> None:
    text = f"{before}，the fee is due now."
    place = locate_quote("the fee is due", Source(text))
    assert place.spans[0].start == len(before) + 1
    assert place.spans[0].of(text) == "the fee is due"


@pytest.mark.parametrize(
    ("text", "quote", "surface"),
    [
        ("前（５％）—“late”后", '(5%)-"late"', "（５％）—“late”"),
        ("a soft\u00adware li\u00adcence fee", "software licence", "soft\u00adware li\u00adcence"),
        ("pay 10\u00a0000\u00a0EUR now", "pay 10 000 EUR", "pay 10\u00a0000\u00a0EUR"),
        ("共 5 天内完成\n交付工作", "共5天内完成交付", "共 5 天内完成\n交付"),
        ("**Late fees** apply", "Late fees apply", "Late fees** apply"),
        ("The Fee is due", "the fee is due", "The Fee is due"),
        ("the ﬁnal oﬀer is due", "the final offer", "the ﬁnal oﬀer"),
    ],
)
def test_c136_width_quotes_dashes_and_invisible_marks_do_not_hide_a_quote(text: str, quote: str, surface: str) -> None:
    assert quoted(text, quote) == ("normalised", [surface])


@pytest.mark.parametrize(
    "quote",
    [
        "Goods come at most a month after ordering.",
        "The parties waive every claim for indirect damage and lost profit.",
    ],
)
def test_c133_a_paraphrase_or_an_invented_sentence_is_not_found(quote: str) -> None:
    assert quoted(CONTRACT, quote) == ("not_found", [])


def test_c133_two_words_that_stand_forty_times_do_not_anchor() -> None:
    assert fault("We go to it. " * 40, "to it") == "too_short"


def test_c133_a_long_quote_in_many_places_does_not_anchor() -> None:
    assert fault("The goods are delivered on time. " * 40, "goods are delivered on time") == "too_many"


def test_a_place_number_decides_between_the_places_of_one_quote() -> None:
    text = "Alpha pays.\n\nBeta. The fee is due.\n\nGamma. The fee is due."
    place = locate(Finding(location='Paragraph 3: "The fee"', description="x"), Source(text))
    assert [span.start for span in place.spans] == [text.rindex("The fee")]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (CONTRACT, "Supplier shall not deliver goods later than thirty days after the date of order"),
        (CONTRACT, "The Supplier shall not deliver the good later than thirty days after the date of the ordr"),
        (VERTRAG, "本合同由甲方负责采购设备，并承担运输费用，乙方负责安装"),
    ],
)
def test_a_nearly_exact_quote_is_found_with_its_likeness(text: str, quote: str) -> None:
    place = locate_quote(quote, Source(text))
    assert place.state == "fuzzy"
    assert 0.88 <= place.score < 1


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        pytest.param(
            CONTRACT,
            "The Supplier shall not deliver the goods later than sixty days after the date of the order.",
            id="number-word",
        ),
        pytest.param(CONTRACT, "Harrow pays the freight within 25 days after", id="digits"),
        pytest.param(
            CONTRACT,
            "The Supplier shall deliver the goods later than thirty days after the date of the order.",
            id="negation",
        ),
        pytest.param(
            CONTRACT,
            "The Buyer shall not deliver the goods later than thirty days after the date of the order.",
            id="role",
        ),
        pytest.param(
            CONTRACT, "On Monday, Meridian delivered the parts to the Lindqvist plant two days late.", id="name"
        ),
        pytest.param(
            CONTRACT, "On Monday, Lindqvist delivered the parts to the Harrow plant two days late.", id="names-swapped"
        ),
        pytest.param(VERTRAG, "本合同由乙方负责采购设备并承担运输的费用，乙方负责安装。", id="zh-party"),
        pytest.param(VERTRAG, "李强负责本季度的采购计划。", id="zh-name"),
        pytest.param(VERTRAG, "乙方应在六十日内完成安装调试工作。", id="zh-number"),
        pytest.param(VERTRAG, "乙方不应在三十日内完成安装调试工作。", id="zh-negation"),
    ],
)
def test_a_changed_number_name_or_negation_never_anchors(text: str, quote: str) -> None:
    assert quoted(text, quote) == ("not_found", [])


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("due in 15 days here", "5 days here"),
        ("a rate of 12.5% net", "2.5% net"),
        ("a total of 1,250 units", "250 units"),
        ("at 10² pages a day", "102 pages a day"),
        ("about 1½ cups of tea", "11⁄2 cups of tea"),
        ("十五日内付清", "五日内付清"),
        ("a change of -5 percent", "5 percent"),
        ("concatenate files", "cat"),
    ],
)
def test_a_part_of_a_number_or_word_is_not_the_quote(text: str, quote: str) -> None:
    assert quoted(text, quote) == ("not_found", [])


@pytest.mark.parametrize(
    ("text", "location", "surface"),
    [
        (CONTRACT, "Paragraph 1, sentence 2", "Harrow pays the freight within 15 days."),
        (CONTRACT, "the second sentence of the first paragraph", "Harrow pays the freight within 15 days."),
        (CONTRACT, "clause 4.2, second sentence", "Late fees apply after the second reminder."),
        (
            CONTRACT,
            "last paragraph, last sentence",
            "On Monday, Harrow delivered the parts to the Lindqvist plant two days late.",
        ),
        (VERTRAG, "第1段第2句", "张伟负责本季度的采购计划。"),
        (VERTRAG, "第一段第二句", "张伟负责本季度的采购计划。"),
        (VERTRAG, "第五条第二句", "逾期的，甲方有权解除合同。"),
        (VERTRAG, "最后一段最后一句", "逾期的，甲方有权解除合同。"),
    ],
)
def test_a_place_named_by_number_resolves_in_both_languages(text: str, location: str, surface: str) -> None:
    assert at(text, location) == ("reference", [surface])


@pytest.mark.parametrize("location", ["paragraph 9", "第九段", "clause 7.1", "sentence 40", ""])
def test_a_number_that_the_document_does_not_have_is_no_place(location: str) -> None:
    assert at(CONTRACT, location) == ("not_found", [])


def test_a_misquote_is_not_saved_by_the_number_beside_it() -> None:
    state, _ = at(CONTRACT, 'Paragraph 1: "Harrow pays the freight within 25 days."')
    assert state == "not_found"


def test_a_quotation_inside_a_location_is_found() -> None:
    assert at(VERTRAG, "合同第五条中“逾期的，甲方有权解除合同”一句") == ("exact", ["逾期的，甲方有权解除合同"])


def test_parts_around_an_ellipsis_are_each_found() -> None:
    state, found = quoted(CONTRACT, "The Supplier shall not deliver ... two days late.")
    assert state == "exact"
    assert found == ["The Supplier shall not deliver", "two days late."]


def test_a_quote_of_which_one_part_is_invented_is_not_found() -> None:
    assert quoted(CONTRACT, "The Supplier shall not deliver ... free of any charge whatsoever")[0] == "not_found"


def test_a_place_knows_nothing_when_nothing_was_said() -> None:
    assert locate(Finding(description="x"), Source(CONTRACT)) == Place(state="not_found", fault="no_place")


@given(st.text(max_size=60))
def test_every_normalised_range_slices_the_original_to_its_surface(text: str) -> None:
    folded = normalise(text)
    for start in range(len(folded.text)):
        span = folded.original(start, len(folded.text))
        assert 0 <= span.start < span.end <= len(text)
    assert list(folded.starts) == sorted(folded.starts)


@given(st.text(alphabet="aé\u0301ﬁ５％（） \u00ad“—中文。x", min_size=8, max_size=40), st.data())
def test_a_quote_folded_by_a_model_slices_to_a_surface_that_folds_to_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 4))
    end = data.draw(st.integers(start + 3, len(text)))
    quote = unicodedata.normalize("NFKC", text[start:end]).replace("“", '"').replace("—", "-")
    place = locate_quote(quote, Source(text))
    assume(place.state in ("exact", "normalised"))
    for span in place.spans:
        assert normalise(span.of(text)).text == normalise(quote.strip()).text


@given(st.integers(1, 99))
def test_chinese_numerals_are_read(number: int) -> None:
    digits = "零一二三四五六七八九"
    tens, ones = divmod(number, 10)
    written = (digits[tens] if tens > 1 else "") + ("十" if tens else "") + (digits[ones] if ones else "")
    assert chinese_number(written) == number
