"""What a model thought before it answered, where a server hands it out with the answer."""

import re


def without_reasoning(text: str) -> str:
    """Drop what stands in `<think>` or `<thinking>`; a block without its end is dropped to the end of the text."""
    last = max((end.end() for end in re.finditer(r"</think(?:ing)?>", text, re.IGNORECASE)), default=0)
    # Beyond the last closing tag a search for one would run to the end from every opening tag.
    closed = (
        re.sub(r"<think(?:ing)?>.*?</think(?:ing)?>", "", text[:last], flags=re.DOTALL | re.IGNORECASE) + text[last:]
    )
    # Some servers drop the opening tag; what stands before a lone closing one is reasoning too.
    after = re.split(r"</think(?:ing)?>", closed, flags=re.IGNORECASE)[-1]
    return re.split(r"<think(?:ing)?>", after, flags=re.IGNORECASE)[0]
