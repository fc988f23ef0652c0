import { UsageError } from '../../scripts/cli/parse.ts'
import { assertBrowser } from '../dashboard.ts'
import { commitOfTree, describeRun, describeTree } from '../measure.ts'
import { formatRows, formatShort } from '../table.ts'
import { FIGURE_NAMES, FIGURES, type FigureName, figureOf, type Round } from './figures.ts'
import { judgeAgainst, judgeByRecord, recordOf, summarize, type Verdict } from './judge.ts'
import { measureFigures } from './measure-figures.ts'
import { processor, readRatios, recordRatios } from './ratios.ts'
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
 * loss is measured again with new servers, and judged by both.
 *
 * @returns 1 if there are losses, else 0
 */
export async function runGuard({ figures, against, record }: GuardOptions): Promise<number> {
  const names = readFigures(figures)
  if (names.includes('script')) assertBrowser()
  if (record !== undefined) return recordTree(names, record)
  const trees = [currentTree(), ...(against === undefined ? [] : [checkOut(against)])]
  const judge = judgeOf(against)
  let rounds = await measureFigures(names, trees)
  const suspects = lostFigures(judge(rounds))
  if (suspects.length > 0) {
    process.stderr.write(`Again: ${suspects.join(', ')} …\n`)
    rounds = [...rounds, ...(await measureFigures(suspects, trees))]
  }
  const verdicts = judge(rounds)
  process.stdout.write(formatResult(trees, rounds, verdicts))
  return verdicts.some(({ isLoss }) => isLoss) ? 1 : 0
}

/** @throws UsageError if there is nothing to compare with */
function judgeOf(against: string | undefined): (rounds: readonly Round[]) => Verdict[] {
  if (against !== undefined) return judgeAgainst
  const known = readRatios()
  if (known !== undefined) return (rounds) => judgeByRecord(rounds, known.values)
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
  process.stdout.write(formatResult([tree], runs.flat(), []))
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

const lostFigures = (verdicts: readonly Verdict[]) => [
  ...new Set(verdicts.filter(({ isLoss }) => isLoss).map(({ value }) => figureOf(value))),
]

/** Formats a Markdown table under a line that names the processor and the commits. */
function formatResult(
  trees: readonly Tree[],
  rounds: readonly Round[],
  verdicts: readonly Verdict[],
): string {
  const other = trees[1]?.commit ?? 'the recorded ratio'
  const rows = summarize(rounds).map(({ value, ours, ratio }) => {
    const verdict = verdicts.find((one) => one.value === value)
    return {
      figure: value,
      about: FIGURES[figureOf(value)],
      ours: formatValue(value, ours),
      'ours / limit': formatShort(ratio),
      [`compared with ${other}`]: verdict ? signed(verdict.change) : '',
      'a loss from': verdict ? signed(verdict.margin) : '',
      '': verdict?.isLoss ? '**loss**' : '',
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
