/** Formats a share with its 95 % Wilson interval. */
export function formatShare(hits: number, count: number): string {
  if (count === 0) return 'none'
  const p = hits / count
  const z = 1.96
  const middle = (p + (z * z) / 2 / count) / (1 + (z * z) / count)
  const half =
    (z * Math.sqrt((p * (1 - p)) / count + (z * z) / 4 / count / count)) / (1 + (z * z) / count)
  const percent = (value: number) => (100 * value).toFixed(1)
  return `${percent(p)} % of ${count} [${percent(Math.max(0, middle - half))}, ${percent(middle + half)}]`
}

/** Formats a share that should be zero. */
export function zeroExpected(wrong: number, count: number) {
  return { ours: formatShare(wrong, count), target: '0', met: wrong === 0 }
}

/** Returns the one-sided 95 % upper bound of a share (Clopper and Pearson), 0 to 1. */
function upperBound(hits: number, count: number): number {
  let [low, high] = [count === 0 ? 0 : hits / count, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (atMost(hits, count, middle) > 0.05) low = middle
    else high = middle
  }
  return high
}

/** Returns the probability of at most this many hits. */
function atMost(hits: number, count: number, p: number): number {
  if (p >= 1) return hits >= count ? 1 : 0
  // Computed with logarithms, because the binomial coefficients are large.
  let log = count * Math.log1p(-p)
  let sum = Math.exp(log)
  for (let k = 1; k <= hits; k++) {
    log += Math.log((count - k + 1) / k) + Math.log(p) - Math.log1p(-p)
    sum += Math.exp(log)
  }
  return sum
}

/** Formats a share of errors with the upper bound that must not exceed a limit. */
export function formatErrors(wrong: number, count: number): string {
  return `${wrong} of ${count}, bound ${(100 * upperBound(wrong, count)).toFixed(2)} %`
}
