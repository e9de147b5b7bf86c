"""Rules: what the world does by itself after an action, until it has nothing more to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kwsuite.worlds.effects import Effect
from kwsuite.worlds.expressions import Expression, Scope
from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.json_values import same
from kwsuite.worlds.state import State, apply_writes

MAX_ROUNDS = 20
"""How often all rules are gone through before they are held to go on for ever."""


@dataclass(frozen=True)
class Rule:
    """An executable rule. It fires when its condition holds and its effects make a difference."""

    number: int
    """Its position among the scenario's rules, from 1; rules in prose only are counted too."""
    when: Expression
    effects: tuple[Effect, ...]
    at: Location


@dataclass(frozen=True)
class Settled:
    """A state in which no rule has anything to do."""

    state: State
    fired: tuple[int, ...]
    """Numbers of the rules that made a difference, in order."""


def settle(state: State, initial: State, rules: Sequence[Rule], scope_of: Callable[[State], Scope]) -> Settled:
    """Fire rules in order, round after round, each on what the one before it left, until a round changes nothing.

    Args:
        state: The state after the effects of an action.
        initial: The state at the start.
        rules: The executable rules, in the order of the file.
        scope_of: What expressions see in a state.

    Raises:
        WorldFault: A rule ends in an error, or the rules do not come to rest.
    """
    fired: list[int] = []
    for _ in range(MAX_ROUNDS):
        before = state
        for rule in rules:
            after = _fire(rule, state, initial, scope_of(state))
            if not same(after, state):
                state = after
                fired.append(rule.number)
        if state is before:
            return Settled(state, tuple(fired))
    last = next(rule for rule in rules if rule.number == fired[-1])
    raise WorldFault(last.at, f"the rules do not come to rest: this one still changes things in round {MAX_ROUNDS}.")


def _fire(rule: Rule, state: State, initial: State, scope: Scope) -> State:
    if not rule.when.decide(scope):
        return state
    return apply_writes(state, initial, [write for effect in rule.effects for write in effect.writes(scope)])
