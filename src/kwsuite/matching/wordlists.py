"""Word lists of the matcher: which words carry meaning that a quote may not change, and which carry none."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


NEGATIONS = _set(
    "not no never none nor neither without cannot unless except excluding fail fails failed lack lacks lacking hardly "
    "barely only"
)
"""Words that turn a statement round."""

NUMBER_WORDS = _set(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half "
    "third quarter once twice double triple first second dozen"
)
"""Numbers written out."""

OPPOSED = _set(
    "or buyer seller lessor lessee landlord tenant employer employee licensor licensee before after above below "
    "over under more less increase increased decrease decreased rise rose fell fall higher lower maximum minimum "
    "include exclude included excluded shall may must should all any some each both either up down"
)
"""Roles, directions and quantifiers whose exchange changes what a clause says."""

FUNCTION_WORDS = _set(
    "a an the this that these those it they we he she i you in on at by for from to of with if when while where as "
    "but so yet however therefore also since because although though there here our their its his her my your what "
    "which who how why is are was were be been has have had do does did will would can could then thus"
)
"""Words that are no name although they stand capitalised at the start of a sentence."""

ABBREVIATIONS = _set(
    "mr mrs ms dr prof sr jr st eds et al e.g i.e cf vs v approx inc ltd co corp llc plc dept est "
    "u.s u.k a.m p.m tel ext incl excl viz ph.d"
)
"""Abbreviations whose full stop does not end a sentence. "etc." ends one as often as not, so it is not here."""

BEFORE_NUMBERS = _set(
    "no nos vol pp p fig figs eq sec ch art para paras cl ed min max jan feb mar apr jun jul aug sep sept oct nov dec "
    "rev ref"
)
"""Abbreviations only where a number follows; elsewhere they are words or end a sentence."""

STOP = _set(
    "a an the this that these those it its is are was were be been being of in on at by for from to with and or but as "
    "not no than then so which who what when where while there here has have had do does did will would can could "
    "should may might must if into about between document text says said states stated sentence paragraph section "
    "report given gives give one two"
)
"""Words that say nothing about which problem a description names."""
