"""What the pictures of a report say, as specifications."""

import json

import pandas as pd

from kwsuite.analysis.charts import overlap_chart
from kwsuite.analysis.pairs import pairwise_overlap


def test_names_with_quotes_label_the_overlap_chart() -> None:
    passes = pd.DataFrame({"o'brien": [1.0, 0.0], 'the "big" one': [1.0, 1.0]})
    spec = json.dumps(overlap_chart(pairwise_overlap(passes), passes))
    said = json.loads(spec)["layer"][0]["encoding"]["y"]["axis"]["labelExpr"]
    assert json.loads(said.removesuffix("[datum.value]")) == {"1": "1  o'brien", "2": '2  the "big" one'}
