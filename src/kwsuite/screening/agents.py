"""Who ran the cells of a screen."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kwsuite.screening.runs import CELLS, Cell, RunResult, ScreenError


class Agent(NamedTuple):
    """A model in an agent."""

    model: str
    """The model, as logs name it."""
    solver: str | None
    """The solver that replaced the task's own, by name; None where none did."""

    def __str__(self) -> str:
        """Name both."""
        return self.model if self.solver is None else f"{self.model} in {self.solver}"


def agents_of(runs: Mapping[Cell, Sequence[RunResult]], *, allow_reference: bool = False) -> dict[Cell, Agent]:
    """Give the one agent of each cell; a cell without runs has none.

    Args:
        runs: The runs of each cell.
        allow_reference: Whether scripted reference candidates may fill a cell.

    Raises:
        ScreenError: A cell has runs of several agents, both frontier cells were not run by the same one, the frontier
            and the weaker model are the same, or a model is scripted.
    """
    agents: dict[Cell, Agent] = {}
    for cell in CELLS:
        found = {Agent(run.model, run.solver) for run in runs.get(cell, ())}
        if len(found) > 1:
            raise ScreenError(f"{cell}: ran by {_listed(found)}; a cell is one agent's. Give the logs of one.")
        if found:
            agents[cell] = found.pop()
    scripted = {agent for agent in agents.values() if agent.model.startswith("reference/")}
    if scripted and not allow_reference:
        raise ScreenError(
            f"{_listed(scripted)}: scripted, so its rates say nothing about a task. Give a model's logs, or "
            "--allow-reference to try the screen itself."
        )
    frontier = {agents[cell] for cell in ("frontier_with", "frontier_without") if cell in agents}
    if len(frontier) > 1:
        raise ScreenError(
            f"frontier_with and frontier_without: ran by {_listed(frontier)}, so their difference is not the "
            "artefact's. Give logs of one agent."
        )
    mid = agents.get("mid_with")
    if mid is not None and mid.model in {agent.model for agent in frontier}:
        raise ScreenError(f"mid_with: ran by {mid.model}, the frontier model. Give the logs of a weaker one.")
    return agents


def _listed(agents: set[Agent]) -> str:
    return ", ".join(sorted(map(str, agents)))
