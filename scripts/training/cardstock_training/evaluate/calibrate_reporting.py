"""Chooses the limits at which the service reports fields and `matched`, by Learn-then-Test on half of the cards.

    python -m cardstock_training.evaluate.calibrate_reporting [--risk 0.005]

Reads outcomes.json of `bun run bench printings` and `bun run bench scans`, which read each photo at every limit. All
photos of one card are in one half. Prints each limit with its reports, the wrong ones, and the 95 % bound of their
share, for the half that chooses and for the half that tests; then the loosest limit that is proven. Without one, it
names the bound that the photos allow: n reports without an error prove no less than 3 / n.
"""
import argparse
import json
import zlib
from collections.abc import Iterable
from pathlib import Path

from cardstock_training import paths
from cardstock_training.evaluate.learn_then_test import RISK, proven, upper_bound

FIELDS = {"numberMin": "number", "numberLikelyMin": "number, confirmed by the catalog", "nameMin": "name", "nameLikelyMin": "name, confirmed by the catalog", "codeMin": "set code", "gradeMin": "grade"}
SCORES = (0.999, 0.998, 0.995, 0.99, 0.98, 0.97, 0.95, 0.9, 0.85, 0.8)
CATALOGS = {"withPictures": "pictures and print", "byPrint": "print alone", "scans": "scans", "among": "scans among 120,000"}

# Reports at one limit: whether each is right.
Reports = list[bool]


def is_for_choice(outcome: dict) -> bool:
    """Returns whether a photo belongs to the half that chooses. Photos without a card are split one by one."""
    label = outcome["label"]
    key = label.get("card") or label.get("scan") or label.get("photo") or label["file"]
    return zlib.crc32(str(key).encode()) % 2 == 0


def fields_at(outcomes: Iterable[dict], field: str) -> tuple[list[float], list[Reports]]:
    """Returns the limits, strictest first, and the reports of a field at each. On slabs only the grade counts."""
    is_meant = lambda o: field == "gradeMin" or not o["label"].get("grader")
    read = [o["reported"] for o in outcomes if o.get("reported") and is_meant(o)]
    limits = read[0]["limits"] if read else []
    return limits, [[r[field][i] for r in read if r[field][i] is not None] for i in range(len(limits))]


def matches_at(outcomes: Iterable[dict], catalog: str) -> list[Reports]:
    """Returns the matches with each score of SCORES or more."""
    matched = [answer for answer in (matched_in(o, catalog) for o in outcomes) if answer is not None]
    return [[right for score, right in matched if score >= limit] for limit in SCORES]


def matched_in(outcome: dict, catalog: str) -> tuple[float, bool] | None:
    """Returns score and correctness of a match; None without one."""
    answer = outcome.get(catalog)
    if answer is None or answer["status"] != "matched":
        return None
    if "isCard" in answer:
        return answer["score"], answer["isCard"]
    top = answer["candidates"][0]
    return top["score"], top["card_id"] == outcome["label"]["card"]


def count(reports: Reports) -> tuple[int, int]:
    return len(reports) - sum(reports), len(reports)


def show(title: str, limits: Iterable[float], choice: list[Reports], test: list[Reports], risk: float) -> None:
    counts = [count(reports) for reports in choice]
    safe = proven(counts, risk)
    print(f"\n{title}\n  limit   chosen on: wrong of reported, bound     tested on: wrong of reported, bound")
    for i, limit in enumerate(limits):
        cells = [f"{wrong:4} of {n:5} {100 * upper_bound(wrong, n):6.2f} %" for wrong, n in (counts[i], count(test[i]))]
        print(f"  {limit:5.3f}  {cells[0]:>36} {'*' if i in safe else ' '}  {cells[1]:>36}")
    best = min((upper_bound(*c) for c in counts), default=1.0)
    limits = list(limits)
    print(f"  proven: limits from {limits[safe[-1]]}" if safe else f"  none is proven; the lowest bound is {100 * best:.2f} %")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--risk", type=float, default=RISK, help="highest share of wrong reports")
    parser.add_argument("outcomes", nargs="*", type=Path, default=[paths.PRINTINGS / "outcomes.json", paths.SCANS / "outcomes.json"])
    options = parser.parse_args()
    outcomes = [o for file in options.outcomes if file.exists() for o in json.loads(file.read_text())]
    choice = [o for o in outcomes if is_for_choice(o)]
    test = [o for o in outcomes if not is_for_choice(o)]
    print(f"{len(choice)} photos to choose on, {len(test)} to test on; * proven to be wrong in less than {100 * options.risk:g} %")
    for field, title in FIELDS.items():
        limits, reports = fields_at(choice, field)
        show(f"{title} ({field})", limits, reports, fields_at(test, field)[1], options.risk)
    for catalog, title in CATALOGS.items():
        show(f"matched, {title} (by score)", SCORES, matches_at(choice, catalog), matches_at(test, catalog), options.risk)


if __name__ == "__main__":
    main()
