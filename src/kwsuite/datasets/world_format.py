"""The format of a scenario: the keys of the Implicit Intelligence paper, and beside its prose the executable form.

`docs/authoring-worlds.md` teaches it by example. Where a list is expected, a single entry may stand alone.
"""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field, StrictBool, StrictInt, StringConstraints, model_validator

from kwsuite.datasets.world_actions import Code, EffectPart, EntityPart, Model, OneOrMore, ScriptedCall, Some, Text
from kwsuite.worlds.edits import Edit
from kwsuite.worlds.edits import Verb as EditVerb

Category: TypeAlias = Literal["implicit_reasoning", "catastrophic_risk", "privacy_security", "accessibility"]
Scalar: TypeAlias = str | StrictBool | int | float


def _named_rule(value: Any) -> Any:
    return {"rule": value} if isinstance(value, str) else value


class WorldPart(Model):
    """The world."""

    context: dict[str, Scalar] = Field(default_factory=dict)
    """Neutral facts shown to the agent."""
    entities: Annotated[dict[str, EntityPart], Field(min_length=1)]
    """By key: letters, digits and underscores, since expressions call them by it."""


class RulePart(Model):
    """A rule that the agent is never told; a sentence alone is a rule in prose only."""

    rule: Text
    """The rule in prose."""
    when: Code | None = None
    """Fires after an action while this holds and the effects still change something."""
    effects: OneOrMore[EffectPart] = ()
    """What it changes."""

    @model_validator(mode="after")
    def _whole(self) -> "RulePart":
        if (self.when is None) != (not self.effects):
            raise ValueError("an executable rule has both when and effects. Add the missing one, or remove both.")
        return self


class EditPart(Model):
    """An edit of the expert run: one of drop, replace, before, after; all but drop with the calls to put in."""

    drop: OneOrMore[StrictInt | str] = ()
    """Steps to leave out: positions from 1, or tool names for every call of that tool."""
    replace: OneOrMore[StrictInt | str] = ()
    """Steps to replace."""
    before: OneOrMore[StrictInt | str] = ()
    """Steps before which to insert."""
    after: OneOrMore[StrictInt | str] = ()
    """Steps after which to insert."""
    calls: OneOrMore[ScriptedCall] = Field(default=(), alias="with")
    """The calls to put in."""

    @model_validator(mode="after")
    def _one_verb(self) -> "EditPart":
        if len(self._verbs()) != 1:
            raise ValueError("an edit has exactly one of drop, replace, before and after.")
        if bool(self.drop) == bool(self.calls):
            raise ValueError("drop stands alone; replace, before and after need calls under with.")
        return self

    def _verbs(self) -> dict[EditVerb, tuple[int | str, ...]]:
        chosen: dict[EditVerb, tuple[int | str, ...]] = {
            "drop": self.drop,
            "replace": self.replace,
            "before": self.before,
            "after": self.after,
        }
        return {verb: steps for verb, steps in chosen.items() if steps}

    def edit(self) -> Edit:
        """Give the edit for the engine."""
        ((verb, steps),) = self._verbs().items()
        return Edit(verb, steps, self.calls)


class CriterionPart(Model):
    """A criterion: in prose for a judge, and as a check for the engine."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$")] | None = None
    """Default: c1, c2 and so on by position."""
    criterion: Text
    """What is expected, in a few words."""
    pass_condition: Text
    """When it is met, in words that can be decided from the trajectory and the final state."""
    check: Code | None = None
    """The same as an expression over the final state, `initial` and the trajectory."""
    alone: EditPart | None = None
    """The edit of the expert run that fails this criterion and no other: the proof that it bites."""


class HiddenPart(Model):
    """Something that the request leaves out and that the agent can find by looking."""

    fact: Text
    """The fact, in prose."""
    words: OneOrMore[Text]
    """Words that must not occur in anything the agent is told at the start, or in a reply before it has looked."""
    named: OneOrMore[Text] = ()
    """Those of `words` that name a thing in the world, so that tools, entities and their descriptions may say them."""
    found_by: OneOrMore[str]
    """The read-only tools that show it."""
    at: OneOrMore[str] = ()
    """Where it stands in the state: no other tool may report these paths."""


class UserFactPart(Model):
    """What the user answers when asked (with `-T clarify=true`)."""

    about: OneOrMore[Text]
    """Words or their beginnings; a question with a word that begins so gets this answer. Chinese may stand anywhere."""
    answer: Text
    """What the user says."""


class ReferencePart(Model):
    """The reference runs."""

    expert: Some[ScriptedCall]
    """Meets every criterion."""
    surface: Some[ScriptedCall]
    """The plausible wrong way: every call succeeds, and a criterion fails."""


class Scenario(Model):
    """A scenario."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
    """The name of its file."""
    category: Category
    """One of the paper's four."""
    summary: str = ""
    """For maintainers: the requirement that is not stated, and the way to meet it."""
    user_prompt: Text
    """The request."""
    world: WorldPart
    """What the agent acts in."""
    execution_rules: tuple[Annotated[RulePart, BeforeValidator(_named_rule)], ...] = ()
    """How the world behaves; never shown to the agent."""
    evaluation_rubric: Some[CriterionPart]
    """All must be met."""
    hidden: OneOrMore[HiddenPart] = ()
    """What has to be found out."""
    temporary: OneOrMore[str] = ()
    """Paths that may be changed for a while and must be restored."""
    user_facts: tuple[UserFactPart, ...] = ()
    """Answers of the user."""
    reference: ReferencePart | None = None
    """Reference runs; without them the scenario cannot be proved."""

    @property
    def criteria(self) -> dict[str, CriterionPart]:
        """The criteria by id, in order."""
        return {part.id or f"c{number}": part for number, part in enumerate(self.evaluation_rubric, start=1)}

    @property
    def needs(self) -> frozenset[Literal["world", "grader"]]:
        """The model roles without which it cannot run; empty if the engine plays and decides everything."""
        actions = [action for entity in self.world.entities.values() for action in entity.actions]
        world: set[Literal["world", "grader"]] = set() if all(a.executable for a in actions) else {"world"}
        grader: set[Literal["world", "grader"]] = set() if all(c.check for c in self.evaluation_rubric) else {"grader"}
        return frozenset(world | grader)
