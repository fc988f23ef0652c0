"""Learn-then-Test (Angelopoulos et al. 2021): limits whose rate of errors is proven to be low.

For each limit of a fixed sequence, tests the hypothesis "RISK or more of the reports are wrong" with the exact binomial
test, and ends at the first that cannot be rejected. The fixed order keeps the error of the whole sequence at ERROR.
"""
import math
from collections.abc import Sequence

RISK, ERROR = 0.005, 0.05


def binomial_tail(k: int, n: int, p: float) -> float:
    """Returns the probability of k or fewer hits in n, in logarithms: the binomial coefficients exceed a float."""
    if p <= 0 or p >= 1:
        return float(p <= 0 or k >= n)
    log_choose = lambda i: math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
    return sum(math.exp(log_choose(i) + i * math.log(p) + (n - i) * math.log1p(-p)) for i in range(k + 1))


def upper_bound(k: int, n: int) -> float:
    """Returns the one-sided 95 % upper bound of a rate (Clopper and Pearson)."""
    low, high = k / n if n else 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if binomial_tail(k, n, middle) > ERROR else (low, middle)
    return high


def proven(counts: Sequence[tuple[int, int]], risk: float = RISK) -> list[int]:
    """Returns the indices of the proven limits, for (wrong, reported) at each limit, strictest first.

    Limits with so few reports that none of them could prove it are skipped: their number says nothing about errors.
    """
    enough = math.ceil(math.log(ERROR) / math.log1p(-risk))
    start = next((i for i, (_, n) in enumerate(counts) if n >= enough), len(counts))
    found = []
    for i in range(start, len(counts)):
        wrong, reported = counts[i]
        if binomial_tail(wrong, reported, risk) > ERROR:
            break
        found.append(i)
    return found
