"""Chooses the thresholds for `matched` by picture alone, by Learn-then-Test on photos held out from training.

    python -m cardstock_training.evaluate.calibrate_matching     # reads outcomes.json of `bun run bench identify`

Tests the hypothesis "0.5 % or more of the matches of this rule are wrong" for a fixed sequence of rules, with the
exact binomial test at 5 %. The sequence starts at the loosest rule, which has the most matches, and ends at the
first rule whose hypothesis cannot be rejected (learn_then_test.py). Any rule before the end is valid. A match is wrong
if it names another art, or if the card is not in the catalog.
"""
import json

from cardstock_training import paths
from cardstock_training.evaluate.learn_then_test import ERROR, RISK, binomial_tail, upper_bound

# Fixed in advance: photos of other cards hardly ever reach it.
DISTANCE_MAX = 300


def main() -> None:
    outcomes = [o for o in json.load(open(paths.EVALUATION / "outcomes.json")) if o["label"]["slice"] != "unseen layouts"]
    seen = [o for o in outcomes if "best" in o]
    known = [o for o in outcomes if o["label"]["card"] is not None]
    print(f"{len(outcomes)} photos, {len(known)} of cards in the catalog")
    print("margin  cosine  matched  wrong  bound    coverage")
    strictest = None
    for step in range(0, 41, 2):
        margin = step / 100
        cosine = 0.5 + margin
        fit = [o for o in seen if o["best"]["margin"] >= margin and o["best"]["cosine"] >= cosine and o["best"]["distance"] <= DISTANCE_MAX]
        wrong = [o for o in fit if o["rank"] != 1]
        right = len(fit) - len(wrong)
        print(f"{margin:6.2f}  {cosine:6.2f}  {len(fit):7}  {len(wrong):5}  {100 * upper_bound(len(wrong), len(fit)):5.2f} %  {100 * right / len(known):5.1f} %")
        if binomial_tail(len(wrong), len(fit), RISK) > ERROR:
            break
        strictest = margin
    print("No rule is proven safe. Render more photos." if strictest is None else f"Proven safe: margins up to {strictest:.2f}")
    strangers = sorted((o["best"]["cosine"], o["best"]["distance"]) for o in seen if o["rank"] == 0)
    if strangers:
        at = lambda share, i: sorted(s[i] for s in strangers)[int(share * (len(strangers) - 1))]
        print(f"Other cards: cosine median {at(0.5, 0):.2f}, 95 % {at(0.95, 0):.2f}, highest {at(1, 0):.2f}; distance lowest {at(0, 1)}, 5 % {at(0.05, 1)}")
        own = [o["best"] for o in seen if o["rank"] == 1]
        own_at = lambda share, key: sorted(o[key] for o in own)[int(share * (len(own) - 1))]
        print(f"Own cards: cosine 1 % {own_at(0.01, 'cosine'):.2f}, 5 % {own_at(0.05, 'cosine'):.2f}; distance median {own_at(0.5, 'distance')}, 95 % {own_at(0.95, 'distance')}; margin 5 % {own_at(0.05, 'margin'):.2f}")


if __name__ == "__main__":
    main()
