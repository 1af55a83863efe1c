"""Splink on one data set, for comparison: python splink_pairs.py <records.csv> <pairs.csv>

The records have the fields that a guest has; the settings are one for all sets, as Splink's guides give them for people.
Prints {"seconds": …, "peak_mb": …} and writes the pairs from match probability 0.01 on.
"""
import json
import resource
import sys
import time
import warnings

import pandas as pd

warnings.filterwarnings("ignore")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
import splink.comparison_library as cl  # noqa: E402
from splink import DuckDBAPI, Linker, SettingsCreator, block_on  # noqa: E402

frame = pd.read_csv(sys.argv[1], dtype=str)
frame = frame.rename(columns={"id": "unique_id"})
has = [c for c in frame.columns if frame[c].notna().any()]
comparisons = {
    "first_name": cl.NameComparison("first_name"),
    "last_name": cl.NameComparison("last_name"),
    "birth_date": cl.DateOfBirthComparison("birth_date", input_is_string=True),
    "email": cl.EmailComparison("email"),
    "address": cl.JaroWinklerAtThresholds("address", [0.9, 0.8]),
    "job_title": cl.ExactMatch("job_title").configure(term_frequency_adjustments=True),
}
rules = [
    (["first_name", "last_name"], block_on("first_name", "last_name")),
    (["last_name", "birth_date"], block_on("last_name", "birth_date")),
    (["first_name", "birth_date"], block_on("first_name", "birth_date")),
    (["email"], block_on("email")),
    (["address"], block_on("address", "first_name")),
    (["address"], block_on("address", "last_name")),
    (["address"], block_on("birth_date", "address")),
    (["last_name"], block_on("substr(first_name,1,2)", "substr(last_name,1,4)")),
]
usable = [made for fields, made in rules if all(field in has for field in fields)]
begin = time.monotonic()
settings = SettingsCreator(
    link_type="dedupe_only",
    comparisons=[made for name, made in comparisons.items() if name in has],
    blocking_rules_to_generate_predictions=usable,
    retain_intermediate_calculation_columns=False,
)
linker = Linker(frame[["unique_id", *[c for c in comparisons if c in has]]], settings, DuckDBAPI())
linker.training.estimate_probability_two_random_records_match(
    [block_on("first_name", "last_name", "birth_date"), *([block_on("email")] if "email" in has else [])], recall=0.6
)
linker.training.estimate_u_using_random_sampling(max_pairs=5e6, seed=1)
linker.training.estimate_parameters_using_expectation_maximisation(block_on("first_name", "last_name"))
linker.training.estimate_parameters_using_expectation_maximisation(block_on("birth_date"))
pairs = linker.inference.predict(threshold_match_probability=0.01).as_pandas_dataframe()
seconds = time.monotonic() - begin
pairs[["unique_id_l", "unique_id_r", "match_probability"]].to_csv(sys.argv[2], index=False)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({"seconds": seconds, "peak_mb": peak / 1024, "grown_mb": (peak - before) / 1024}))
