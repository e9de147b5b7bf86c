"""Runs as rows."""

import pandas as pd

from kwsuite.analysis.candidates import CandidateName, candidate_names, grader_names, is_reference
from kwsuite.analysis.columns import RUN_COLUMNS
from kwsuite.analysis.logs import LogSet
from kwsuite.analysis.samples import Name


def name_runs(logs: LogSet) -> list[Name]:
    """Give benchmark and candidate of each run, in order."""
    return [Name(run.header.eval.task, name.label) for run, name in zip(logs.runs, _called(logs), strict=True)]


def run_table(logs: LogSet, names: list[Name], items: pd.DataFrame) -> pd.DataFrame:
    """Describe each run in a row (`RUN_COLUMNS`).

    Args:
        logs: The runs.
        names: As `name_runs` gives them.
        items: The items frame. A re-score does not update the header's roles, and a role may be bound that nothing
            asked, so graders are taken from the scores where there are any.
    """
    rows = []
    for run, name, called in zip(logs.runs, names, _called(logs), strict=True):
        spec = run.header.eval
        rows.append(
            {
                "benchmark": name.benchmark,
                "candidate": name.candidate,
                "subject": called.subject,
                "condition": called.condition,
                "model": spec.model,
                "run": spec.task_id,
                "log": run.path,
                "link": run.relative,
                "created": str(spec.created),
                "status": run.header.status,
                "finished": run.finished,
                "invalidated": run.header.invalidated,
                "version": str(spec.task_version),
                "epochs": spec.config.epochs or 1,
                "planned": len(spec.dataset.sample_ids or []) * (spec.config.epochs or 1),
                "grader": grader_names(run.header),
                "reference": is_reference(spec.model),
                "arguments": ", ".join(f"{key}={value}" for key, value in sorted(spec.task_args.items())),
            }
        )
    frame = pd.DataFrame(rows, columns=RUN_COLUMNS)
    graders = items[items["scorer"] != ""].groupby("run", observed=True)["grader"].agg(_together)
    judged = {str(run): str(names) for run, names in graders.items()}
    frame["grader"] = [judged.get(run, names) for run, names in zip(frame["run"], frame["grader"], strict=True)]
    return frame


def _together(graders: pd.Series) -> str:
    return ", ".join(sorted(set(graders.astype(str)) - {""}))


def _called(logs: LogSet) -> list[CandidateName]:
    """Name the candidate of each run among the runs of its benchmark, in order."""
    tasks = [run.header.eval.task for run in logs.runs]
    names: dict[int, CandidateName] = {}
    for task in dict.fromkeys(tasks):
        places = [place for place, other in enumerate(tasks) if other == task]
        found = candidate_names([logs.runs[place].header for place in places])
        names |= dict(zip(places, found, strict=True))
    return [names[place] for place in range(len(tasks))]
