import { UsageError } from '../../scripts/cli/parse.ts'
import { assertBrowser } from '../dashboard.ts'
import { commitOfTree, describeRun, describeTree } from '../measure.ts'
import { formatRows, formatShort } from '../table.ts'
import { FIGURE_NAMES, FIGURES, type FigureName, figureOf, type Round } from './figures.ts'
import { judgeAgainst, judgeByRecord, recordOf, summarize, type Verdict } from './judge.ts'
import { measureFigures } from './measure-figures.ts'
import { processor, type RecordedRatio, readRatios, recordRatios } from './ratios.ts'
import { checkOut, currentTree, type Tree } from './trees.ts'

export type GuardOptions = {
  /** Names of figures, separated by commas; all by default. */
  figures?: string | undefined
  /** A commit that is measured in turn with this tree. */
  against?: string | undefined
  /** Why the ratios of this tree become the known ones. */
  record?: string | undefined
}

/**
 * Measures this tree and looks for losses, against the recorded ratios or against another commit. What looks like a
 * loss is measured again with new servers, in turn with that commit or the one whose ratio is recorded. It is a loss
 * if it is seen both times.
 *
 * @returns 1 if there are losses, else 0
 */
export async function runGuard({ figures, against, record }: GuardOptions): Promise<number> {
  const names = readFigures(figures)
  if (names.includes('script')) assertBrowser()
  if (record !== undefined) return recordTree(names, record)
  const known = against === undefined ? readKnownRatios() : {}
  const tree = currentTree()
  const trees = [tree, ...(against === undefined ? [] : [checkOut(against)])]
  const rounds = await measureFigures(names, trees)
  const verdicts = against === undefined ? judgeByRecord(rounds, known) : judgeAgainst(rounds)
  const second: Verdict[] = []
  const commitOf = ({ value }: Verdict) => against ?? known[value]?.commit ?? ''
  for (const [commit, lost] of Map.groupBy(verdicts.filter(isLoss), commitOf)) {
    const suspects = [...new Set(lost.map(({ value }) => figureOf(value)))]
    process.stderr.write(`Again, in turn with ${commit}: ${suspects.join(', ')} …\n`)
    const again = judgeAgainst(await measureFigures(suspects, [tree, checkOut(commit)]))
    second.push(...again.filter(({ value }) => lost.some((one) => one.value === value)))
  }
  process.stdout.write(formatResult(trees, rounds, { verdicts, second }))
  return second.some(isLoss) ? 1 : 0
}

const isLoss = (verdict: Verdict) => verdict.isLoss

/** @throws UsageError if none are recorded for this processor */
function readKnownRatios(): Record<string, RecordedRatio> {
  const known = readRatios()
  if (known !== undefined) return known.values
  throw new UsageError(
    `No ratios are recorded for this processor (${processor().name}). Compare with --against COMMIT, or record its ratios with --record REASON.`,
  )
}

/** @throws UsageError unless a commit names what is recorded */
async function recordTree(names: readonly FigureName[], reason: string): Promise<number> {
  if (commitOfTree().isChanged) throw new UsageError('Commit the changes before you record.')
  const tree = currentTree()
  const runs: Round[][] = []
  for (let run = 0; run < RECORDED_RUNS; run++) runs.push(await measureFigures(names, [tree]))
  const values = Object.entries(recordOf(runs)).map(
    ([value, known]) => [value, { ...known, commit: tree.commit, reason }] as const,
  )
  process.stdout.write(formatResult([tree], runs.flat(), { verdicts: [], second: [] }))
  recordRatios(Object.fromEntries(values))
  return 0
}

function readFigures(text: string | undefined): FigureName[] {
  if (text === undefined) return [...FIGURE_NAMES]
  return text.split(',').map((name) => {
    const known = FIGURE_NAMES.find((one) => one === name.trim())
    if (known !== undefined) return known
    throw new UsageError(`--figures must be of ${FIGURE_NAMES.join(', ')}, not "${name}".`)
  })
}

/** Formats a Markdown table under a line that names the processor and the commits. */
function formatResult(
  trees: readonly Tree[],
  rounds: readonly Round[],
  { verdicts, second }: { verdicts: readonly Verdict[]; second: readonly Verdict[] },
): string {
  const other = trees[1]?.commit ?? 'the recorded ratio'
  const rows = summarize(rounds).map(({ value, ours, ratio }) => {
    const verdict = verdicts.find((one) => one.value === value)
    const again = second.find((one) => one.value === value)
    return {
      figure: value,
      about: FIGURES[figureOf(value)],
      ours: formatValue(value, ours),
      'ours / limit': formatShort(ratio),
      [`compared with ${other}`]: verdict ? signed(verdict.change) : '',
      'a loss from': verdict ? signed(verdict.margin) : '',
      'again, in turn': again ? signed(again.change) : '',
      '': again?.isLoss ? '**loss**' : '',
    }
  })
  const run = describeRun(describeTree(), 'bun run bench guard', { Bun: Bun.version })
  return `${run}; ${rounds.length} rounds\n\n${formatRows(rows)}\n`
}

function formatValue(value: string, amount: number): string {
  if (/^(rest|script)$| (memory|pages)$/.test(value)) return `${formatShort(amount / 1e6)} MB`
  if (amount < 1000) return `${formatShort(amount)} µs`
  return amount < 1e6 ? `${formatShort(amount / 1000)} ms` : `${formatShort(amount / 1e6)} s`
}

function signed(share: number): string {
  return Number.isNaN(share)
    ? 'not measured'
    : `${share < 0 ? '' : '+'}${(100 * share).toFixed(1)} %`
}

/** How many whole runs the recorded ratios and their noise come from. */
const RECORDED_RUNS = 3
