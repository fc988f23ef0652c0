/** A share with its 95 % Wilson interval. */
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

/** A share that should be none. */
export function zeroExpected(wrong: number, count: number) {
  return { ours: formatShare(wrong, count), target: '0', met: wrong === 0 }
}
