"""Whether an inexact quote still says what the text says."""

import re
import unicodedata
from collections import Counter

from rapidfuzz.distance import Levenshtein

from kwsuite.matching.normalised import is_cjk, normalise
from kwsuite.matching.wordlists import FUNCTION_WORDS, NEGATIONS, NUMBER_WORDS, OPPOSED

_TOKEN = re.compile(r"[$€£¥]?\d+(?:[.,]\d+)*\s*[%‰]?|[^\W\d]+(?:['’][^\W\d]+)*")
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "non", "mis", "de", "anti", "ex", "pre", "post", "over", "under")
# Chinese characters that a quote may add or lose without saying anything else. Every other change of a character may be
# a change of a name, a number or a negation, which nothing in the writing marks.
_HARMLESS = frozenset("的地得了着过也都就已经还则便又且和与及以并而之其该此等所将会在于把为们个这那是")


def same_facts(quote: str, surface: str) -> bool:
    """Tell whether a quote keeps the numbers, names and negations of the text it is taken to quote.

    In English, numbers, number words, negations, opposed words and capitalised words must be the same in the same
    order, and no word may gain or lose a negating prefix. In Chinese, only particles may differ. Punctuation may.
    """
    return _protected(quote, surface) and _same_words(quote, surface) and _same_characters(quote, surface)


def _tokens(text: str) -> list[str]:
    tokens = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        token = match.group()
        if any(is_cjk(character) for character in token):
            tokens.extend(re.findall(r"[A-Za-z_À-ɏ]+", token))
        else:
            tokens.append(token)
    return tokens


def _protected(quote: str, surface: str) -> bool:
    sides = [_tokens(quote), _tokens(surface)]
    names = {
        token.casefold()
        for side in sides
        for token in side
        if token[:1].isupper() and token.casefold() not in FUNCTION_WORDS
    }
    kept = [[plain for token in side if (plain := _plain(token)) in names or _is_protected(plain)] for side in sides]
    return kept[0] == kept[1]


def _plain(token: str) -> str:
    return re.sub(r"[\s,](?=\d|%|$)", "", token.casefold().replace("’", "'"))


def _is_protected(word: str) -> bool:
    if any(character.isdigit() for character in word) or word.endswith("n't"):
        return True
    if "_" in word:  # an identifier is a name
        return True
    return word in NEGATIONS or word in NUMBER_WORDS or word in OPPOSED


def _same_words(quote: str, surface: str) -> bool:
    said = Counter(token.casefold() for token in _tokens(quote))
    written = Counter(token.casefold() for token in _tokens(surface))
    lost, gained = list((written - said).elements()), list((said - written).elements())
    return not any(_opposed(one, other) for one in lost for other in gained)


def _opposed(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if any(longer == prefix + shorter for prefix in _PREFIXES):
        return True
    stems = [next((word[len(p) :] for p in _PREFIXES if word.startswith(p)), None) for word in (one, other)]
    if None not in stems and stems[0] == stems[1]:
        return True
    # employer / employee, careful / careless: alike up to an ending that turns the meaning round
    endings = {("er", "ee"), ("or", "ee"), ("ful", "less")}
    for ending, against in endings | {(b, a) for a, b in endings}:
        if one.endswith(ending) and other.endswith(against) and one[: -len(ending)] == other[: -len(against)]:
            return True
    return False


def _same_characters(quote: str, surface: str) -> bool:
    said, written = normalise(quote).text, normalise(surface).text
    for step in Levenshtein.opcodes(said, written):
        if step.tag == "equal":
            continue
        changed = said[step.src_start : step.src_end] + written[step.dest_start : step.dest_end]
        if any(is_cjk(character) and character not in _HARMLESS for character in changed):
            return False
    return True


def cuts_word(text: str, start: int, end: int) -> bool:
    """Tell whether a range begins or ends inside a word or a number of the text.

    "5 days" stands in "15 days", and "2.5" in "12.5", only as characters.
    """
    return _inside(text, start) or _inside(text, end) or _signed(text, start)


def _inside(text: str, position: int) -> bool:
    if not 0 < position < len(text):
        return False
    before, after = text[position - 1], text[position]
    if unicodedata.combining(after):
        return True
    if is_cjk(before) or is_cjk(after):
        return bool(_numeral(before) and _numeral(after))
    if before.isalnum() and after.isalnum():
        return True
    return re.search(r"\d[.,]\d", text[max(position - 2, 0) : position + 2]) is not None


def _numeral(character: str) -> bool:
    return character.isdigit() or character in "零〇一二两三四五六七八九十百千万亿"


def _signed(text: str, start: int) -> bool:
    if start == 0 or start >= len(text) or not text[start].isdigit() or text[start - 1] not in "-−":
        return False
    return start == 1 or not text[start - 2].isalnum()
