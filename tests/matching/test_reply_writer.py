"""What is written as a reply is read as it was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.datasets.spotting_files import SHIPPED, load_documents
from kwsuite.datasets.spotting_references import as_findings
from kwsuite.matching import Finding, ReplyFormat, read_reply
from kwsuite.matching.reply_fields import clean
from kwsuite.matching.reply_writer import write_reply

_WORDS = st.text("aB 1.,;:()<>&'‘’“”\"[]{}《》质保期，。\n", min_size=1).filter(
    lambda text: any(character.isalnum() for character in text) and clean(text) == text and text[0] not in "[【<{"
)


@given(st.lists(st.tuples(_WORDS, _WORDS), max_size=4), st.sampled_from(["xml", "json"]))
def test_any_findings_come_back_from_xml_and_json(said: list[tuple[str, str]], form: ReplyFormat) -> None:
    findings = tuple(
        Finding(location=place, type="ambiguity", type_text="ambiguity", description=what) for place, what in said
    )
    reply = read_reply(write_reply(findings, form), form)
    assert (reply.findings, reply.refused, reply.format) == (findings, (), form)


@pytest.mark.parametrize("form", ["xml", "json", "markdown"])
def test_every_shipped_reference_finding_comes_back(form: ReplyFormat) -> None:
    for document in load_documents(SHIPPED):
        assert document.reference is not None
        for authored in (document.reference.expert, document.reference.surface):
            findings = as_findings(authored)
            reply = read_reply(write_reply(findings, form), form)
            assert (reply.findings, reply.refused, reply.readable) == (findings, (), True)
