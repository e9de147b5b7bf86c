"""Paths: an entity, then properties and keys, some of them computed: `fleet[hires.list[id].car].back`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kwsuite.worlds.expressions import Expression, Language, Scope
from kwsuite.worlds.faults import AuthoringError, Location, WorldFault
from kwsuite.worlds.state import Place, State, look_up
from kwsuite.worlds.tokens import Token, Unreadable, plain_text, tokens


@dataclass(frozen=True)
class Path:
    """A compiled path."""

    source: str
    segments: tuple[str | Expression, ...]
    """At least two: the entity, and a property; text where the author wrote the key, else what computes it."""
    at: Location

    @property
    def entity(self) -> str:
        """The entity that the path begins with."""
        return str(self.segments[0])

    def resolve(self, scope: Scope) -> Place:
        """Compute the place.

        Raises:
            WorldFault: A computed key is neither text nor an integer.
        """
        return tuple(key if isinstance(key, str) else _key(key, scope) for key in self.segments)

    def read(self, state: State, scope: Scope) -> tuple[str, object]:
        """Give the last key and the value there.

        Raises:
            WorldFault: There is no such place.
        """
        place = self.resolve(scope)
        try:
            return str(place[-1]), look_up(state, place)
        except LookupError as error:
            raise WorldFault(self.at, f"{self.source}: {error.args[0]}.") from error


def compile_path(source: str, at: Location, language: Language, names: Iterable[str], initial: State) -> Path:
    """Compile a path.

    Args:
        source: The path as authored.
        at: Where it stands in the scenario's file.
        language: The world's expressions.
        names: What computed keys may mention.
        initial: The state at the start, which declares entities and properties.

    Raises:
        AuthoringError: It is not a path, or its entity or property is not declared.
    """
    segments = _segments(source, at, language, tuple(names))
    entity, first = segments[0], segments[1] if len(segments) > 1 else None
    if entity not in initial:
        raise AuthoringError(at, f"a path begins with an entity ({', '.join(initial)}), not {entity!r}. In: {source}")
    if first is None:
        raise AuthoringError(at, f"a path goes to a property at least: {source}.<property>, not a whole entity.")
    if isinstance(first, str) and first not in initial[str(entity)]:
        declared = ", ".join(initial[str(entity)]) or "none"
        raise AuthoringError(at, f"{entity} declares no property {first!r} (declared: {declared}). In: {source}")
    return Path(source, tuple(segments), at)


def _segments(source: str, at: Location, language: Language, names: tuple[str, ...]) -> list[str | Expression]:
    try:
        words = tokens(source)
        segments: list[str | Expression] = [_name(words[0])]
        position = 1
        while words[position].kind != "end":
            if words[position].text == ".":
                segments.append(_name(words[position + 1]))
                position += 2
            else:
                end = _closing(words, position)
                segments.append(_computed(source, words[position : end + 1], at, language, names))
                position = end + 1
    except Unreadable as error:
        raise AuthoringError(
            at,
            f"column {error.offset + 1}: {error}. A path looks like entity.property, entity.property[expression] or "
            f"entity.property['key']. In: {source}",
        ) from error
    return segments


def _name(word: Token) -> str:
    if word.kind != "name":
        raise Unreadable(f"a name is due before {word.text!r}", word.offset)
    return word.text.strip("`")


def _closing(words: Sequence[Token], start: int) -> int:
    if words[start].text != "[":
        raise Unreadable(f"unexpected {words[start].text!r}", words[start].offset)
    depth = 0
    for position in range(start, len(words)):
        depth += (words[position].text in {"[", "(", "{"}) - (words[position].text in {"]", ")", "}"})
        if depth == 0:
            return position
    raise Unreadable("a bracket is not closed", words[start].offset)


def _computed(
    source: str, words: Sequence[Token], at: Location, language: Language, names: tuple[str, ...]
) -> str | Expression:
    inside = words[1:-1]
    if len(inside) == 1 and (key := plain_text(inside[0])) is not None:
        return key
    return language.compile(source[words[0].offset + 1 : words[-1].offset], at, names)


def _key(expression: Expression, scope: Scope) -> str | int:
    value = expression.evaluate(scope)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise WorldFault(expression.at, f"a key is text or an integer, not {value!r}. In: {expression.source}")
    return value
