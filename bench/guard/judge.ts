import { median } from '../measure.ts'
import type { Round } from './figures.ts'

/** A known ratio of a value to its limit. */
export type KnownRatio = {
  ratio: number
  /** Largest difference of a whole run from the median of those that were recorded, as a share. */
  noise: number
}

/** The judgement of a value after a run. */
export type Verdict = {
  value: string
  /** Increase over the known ratio or over the other tree, as a share; negative for a gain; NaN if not measured. */
  change: number
  /** Increase from which it is a loss. */
  margin: number
  isLoss: boolean
}

/** Judges each value by the ratios that are recorded for this processor. Values without one are left out. */
export function judgeByRecord(
  rounds: readonly Round[],
  known: Readonly<Record<string, KnownRatio>>,
): Verdict[] {
  return valuesOf(rounds).flatMap((value) => {
    const { ratio = Number.NaN, noise = 0 } = known[value] ?? {}
    if (Number.isNaN(ratio)) return []
    return [
      verdictOf(
        value,
        ratiosOf(rounds, value).map((one) => one / ratio),
        noise,
      ),
    ]
  })
}

/** Judges each value of the first tree by that of the second in the same round. */
export function judgeAgainst(rounds: readonly Round[]): Verdict[] {
  return valuesOf(rounds).map((value) => {
    const changes = rounds.flatMap(({ trees: [ours, theirs] }) =>
      divide(ours?.[value], theirs?.[value]),
    )
    return verdictOf(value, changes, 0)
  })
}

/** Returns the ratio of each value to its limit, and how far whole runs differ from their median. */
export function recordOf(runs: readonly (readonly Round[])[]): Record<string, KnownRatio> {
  const [first = []] = runs
  return Object.fromEntries(
    valuesOf(first).map((value) => {
      const ratios = runs.map((rounds) => median(ratiosOf(rounds, value)))
      const ratio = median(ratios)
      const noise = Math.max(...ratios.map((one) => Math.abs(one / ratio - 1)))
      return [value, { ratio: short(ratio), noise: short(noise) }]
    }),
  )
}

function verdictOf(value: string, changes: readonly number[], noise: number): Verdict {
  const change = median(changes) - 1
  const margin = Math.min(MARGIN_MAX, Math.max(MARGIN_MIN, 2 * noise, 3 * errorOf(changes)))
  // Written so that a value that was not measured, which is NaN, does not pass.
  return { value, change, margin, isLoss: !(change <= margin) }
}

/** Returns the median of each value of the first tree, and of its ratios to the limit. */
export function summarize(rounds: readonly Round[]) {
  return valuesOf(rounds).map((value) => ({
    value,
    ours: median(rounds.flatMap(({ trees: [ours] }) => ours?.[value] ?? [])),
    ratio: median(ratiosOf(rounds, value)),
  }))
}

/** Returns the standard error of a median, from the median deviation, which outliers do not move. */
function errorOf(values: readonly number[]): number {
  const middle = median(values)
  const deviation = median(values.map((one) => Math.abs(one / middle - 1)))
  return (NORMAL_DEVIATION * MEDIAN_ERROR * deviation) / Math.sqrt(values.length)
}

function ratiosOf(rounds: readonly Round[], value: string): number[] {
  return rounds.flatMap(({ limit, trees: [ours] }) => divide(ours?.[value], limit[value]))
}

/** A round that did not measure the value has no ratio. */
function divide(one: number | undefined, other: number | undefined): number[] {
  return one === undefined || other === undefined ? [] : [one / other]
}

function valuesOf(rounds: readonly Round[]): string[] {
  return Object.keys(rounds[0]?.trees[0] ?? {})
}

const short = (value: number) => Number(value.toPrecision(4))

/** Two runs of one tree may differ by this share, because its code was compiled differently. */
const MARGIN_MIN = 0.05
/** A loss of 15 % must be seen. Where the noise asks for more, a run is repeated rather than the margin widened. */
const MARGIN_MAX = 0.1
/** Standard deviation of a normal distribution in median deviations, and the error of its median in those of its mean. */
const NORMAL_DEVIATION = 1.4826
const MEDIAN_ERROR = 1.2533
