"""Reading a CEL expression for what it mentions, and rewriting it so that its result is never left to chance.

Standard CEL forgives: `||`, `&&`, `all` and `exists` absorb an error when the other side decides, and a map is walked
in an order that changes from process to process. Neither suits a proof. The rewritten text means the same wherever
standard CEL has one answer, evaluates from left to right, lets every error out, and walks maps in the alphabetical
order of their keys (through the function `in_order`).
"""

from dataclasses import dataclass, field

from kwsuite.worlds.tokens import Token, Unreadable, plain_text, tokens

IN_ORDER = "in_order"
"""The function that the rewritten text calls on what `map` and `filter` walk over."""

_BINARY = {"==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%"}
_WALKS = {"all", "exists", "exists_one", "map", "filter"}
_LITERALS = {"true", "false", "null"}


@dataclass(frozen=True)
class FunctionCall:
    """A call of a global function, with its leading arguments where they are plain text, else None in their place."""

    name: str
    texts: tuple[str | None, ...]
    offset: int


@dataclass(frozen=True)
class Reading:
    """What an expression says."""

    text: str
    """The rewritten expression."""
    names: dict[str, int]
    """The free names it mentions and the offset of the first mention of each."""
    calls: tuple[FunctionCall, ...]
    """The global functions it calls."""


def read_expression(source: str) -> Reading:
    """Read one expression.

    Raises:
        Unreadable: The text is not a CEL expression, as far as this reader can tell.
    """
    reader = _Reader(list(tokens(source)))
    text = reader.conditional()
    if reader.here.kind != "end":
        raise Unreadable(f"unexpected {reader.here.text!r}", reader.here.offset)
    return Reading(text, reader.names, tuple(reader.calls))


@dataclass
class _Reader:
    """Recursive descent over the grammar of CEL; each method gives the rewritten text of what it read."""

    words: list[Token]
    position: int = 0
    bound: tuple[str, ...] = ()
    names: dict[str, int] = field(default_factory=dict)
    calls: list[FunctionCall] = field(default_factory=list)

    @property
    def here(self) -> Token:
        return self.words[self.position]

    def take(self, *texts: str) -> Token | None:
        if self.here.kind in ("sign", "name") and self.here.text in texts:
            self.position += 1
            return self.words[self.position - 1]
        return None

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise Unreadable(f"expected {text!r} before {self.here.text!r}", self.here.offset)

    def conditional(self) -> str:
        condition = self.either()
        if not self.take("?"):
            return condition
        yes = self.either()
        self.expect(":")
        return f"{condition} ? {yes} : {self.conditional()}"

    def either(self) -> str:
        sides = [self.both()]
        while self.take("||"):
            sides.append(self.both())
        return _balanced(sides, "({0} ? true : {1})")

    def both(self) -> str:
        sides = [self.relation()]
        while self.take("&&"):
            sides.append(self.relation())
        return _balanced(sides, "({0} ? {1} : false)")

    def relation(self) -> str:
        text = self.unary()
        while sign := self.take(*_BINARY):
            text = f"{text} {sign.text} {self.unary()}"
        return text

    def unary(self) -> str:
        if sign := self.take("!", "-"):
            return sign.text + self.unary()
        return self.member()

    def member(self) -> str:
        text = self.primary()
        while sign := self.take(".", "["):
            mark = "?" if self.take("?") else ""
            if sign.text == "[":
                text = f"{text}[{mark}{self.conditional()}]"
                self.expect("]")
                continue
            name = self.here
            if name.kind != "name":
                raise Unreadable(f"expected a name before {name.text!r}", name.offset)
            self.position += 1
            if not self.take("("):
                text = f"{text}.{mark}{name.text}"
            elif name.text in _WALKS:
                text = self.walk(text, name.text)
            else:
                text = f"{text}.{name.text}({', '.join(self.arguments(text, name.text))})"
        return text

    def walk(self, receiver: str, macro: str) -> str:
        """Rewrite `all` and `exists` over `filter`, which lets errors out, and order what is walked over."""
        variable = self.here
        if variable.kind != "name" or self.words[self.position + 1].text != ",":
            raise Unreadable(f"{macro} wants a name and an expression", variable.offset)
        self.position += 2
        outer, self.bound = self.bound, (*self.bound, variable.text)
        body = self.expressions(")")
        self.bound = outer
        inside = ", ".join(body)
        match macro:
            case "exists":
                return f"({receiver}.filter({variable.text}, {inside}).size() > 0)"
            case "all":
                return f"({receiver}.filter({variable.text}, !({inside})).size() == 0)"
            case "exists_one":
                return f"({receiver}.filter({variable.text}, {inside}).size() == 1)"
            case _:
                return f"{IN_ORDER}({receiver}).{macro}({variable.text}, {inside})"

    def arguments(self, receiver: str, name: str) -> list[str]:
        if (receiver, name) != ("cel", "bind"):
            return self.expressions(")")
        self.names.pop("cel", None)
        variable = self.here.text
        self.position += 1
        self.expect(",")
        value = self.conditional()
        self.expect(",")
        outer, self.bound = self.bound, (*self.bound, variable)
        body = self.expressions(")")
        self.bound = outer
        return [variable, value, *body]

    def primary(self) -> str:
        word = self.here
        self.position += 1
        if word.kind in ("string", "number"):
            return word.text
        if word.kind == "name":
            return self.named(word)
        match word.text:
            case "(":
                inside = self.conditional()
                self.expect(")")
                return f"({inside})"
            case "[":
                return f"[{', '.join(self.expressions(']', optional=True))}]"
            case "{":
                return f"{{{', '.join(self.expressions('}', optional=True, pairs=True))}}}"
            case _:
                raise Unreadable(f"unexpected {word.text!r}", word.offset)

    def named(self, word: Token) -> str:
        if word.text in _LITERALS:
            return word.text
        if not self.take("("):
            if word.text not in self.bound:
                self.names.setdefault(word.text, word.offset)
            return word.text
        texts = _leading_texts(self.words[self.position :])
        self.calls.append(FunctionCall(word.text, texts, word.offset))
        return f"{word.text}({', '.join(self.expressions(')'))})"

    def expressions(self, closing: str, *, optional: bool = False, pairs: bool = False) -> list[str]:
        found: list[str] = []
        while not self.take(closing):
            mark = "?" if optional and self.take("?") else ""
            text = mark + self.conditional()
            if pairs:
                self.expect(":")
                text = f"{text}: {self.conditional()}"
            found.append(text)
            if not self.take(","):
                self.expect(closing)
                break
        return found


def _balanced(sides: list[str], form: str) -> str:
    """Join sides in a balanced tree, because CEL bounds the depth of an expression at about thirty."""
    if len(sides) == 1:
        return sides[0]
    middle = len(sides) // 2
    return form.format(_balanced(sides[:middle], form), _balanced(sides[middle:], form))


def _leading_texts(words: list[Token]) -> tuple[str | None, ...]:
    texts: list[str | None] = []
    for word, after in zip(words[::2], words[1::2], strict=False):
        if after.text not in (",", ")"):
            return (*texts, None)
        texts.append(plain_text(word))
        if after.text == ")":
            break
    return tuple(texts)
