// Compares Cardstock with the limit of the machine and with a peer, and prints the table.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { UsageError } from '../scripts/cli/parse.ts'
import { runCommand } from '../scripts/cli/run-command.ts'
import { BENCH, BENCHMARKS } from '../scripts/cli/tree-commands.ts'
import type { Catalog } from './benches.ts'
import { type BenchData, prepareData } from './data.ts'
import { assertWrk } from './load.ts'
import { describeRun, describeTree } from './measure.ts'
import { formatTable, type Row } from './table.ts'

await runCommand(BENCH, async ({ name: chosen, ...options }) => {
  if (chosen.includes('guard')) {
    if (chosen.length > 1) throw new UsageError('Run guard alone.')
    assertLoad()
    const { runGuard } = await import('./guard/guard.ts')
    return await runGuard(options)
  }
  const [unused] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
  if (unused !== undefined) throw new UsageError(`--${unused} belongs to "bench guard".`)
  const names = BENCHMARKS.filter((name) => chosen.length === 0 || chosen.includes(name))
  const { BENCHES } = await import('./benches.ts')
  const size = { cards: readSize('BENCH_CARDS', 500_000), days: readSize('BENCH_DAYS', 365) }
  let catalog: BenchData | undefined
  const prepared: Catalog = async ({ peer }) => {
    if (peer) assertTools()
    catalog ??= await prepareData(size.cards, size.days)
    return catalog
  }
  const rows: Row[] = []
  const failed: string[] = []
  for (const name of names) {
    process.stderr.write(`${name} …\n`)
    try {
      rows.push(...(await BENCHES[name](prepared)))
    } catch (error) {
      if (error instanceof UsageError) throw error
      // A failure becomes a row with its reason, and the others continue.
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
      failed.push(name)
      const [reason = ''] = String(error).split('\n')
      rows.push({ figure: name, ours: `failed: ${reason}` })
    }
  }
  const run = describeRun(describeTree(), ['bun run bench', ...chosen].join(' '), versions())
  const blocks = [run, sizeOf(catalog), formatTable(rows)].filter((block) => block !== '')
  process.stdout.write(`${blocks.join('\n\n')}\n`)
  return failed.length === 0 ? 0 : 1
})

function sizeOf(catalog: BenchData | undefined): string {
  if (catalog === undefined) return ''
  const { cards, printings, series, points } = catalog.seeded
  const [shownCards, shownPrices, shownPoints, shownSeries] = [
    cards,
    printings,
    points,
    series,
  ].map((count) => count.toLocaleString('en-US'))
  return `${shownCards} cards, ${shownPrices} prices, ${shownPoints} points of ${shownSeries} series.`
}

/** @throws UsageError if the program that sends the load is missing */
function assertLoad(): void {
  try {
    assertWrk()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function assertTools(): void {
  assertLoad()
  if (Bun.which('node') === null) {
    throw new UsageError('The peer runs on Node: install Node 20 or newer.')
  }
  if (packageVersion('fastify') === 'missing') {
    throw new UsageError('The peer is not installed: see "The peer" in bench/README.md.')
  }
}

function versions(): Record<string, string> {
  const db = openDatabase(':memory:')
  const sqlite = db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  db.close()
  const node = Bun.spawnSync(['node', '--version']).stdout.toString().trim().slice(1)
  return {
    Bun: Bun.version,
    SQLite: sqlite,
    Node: node,
    Fastify: packageVersion('fastify'),
    'better-sqlite3 (peer)': packageVersion('better-sqlite3'),
  }
}

function packageVersion(name: string): string {
  try {
    const file = join(import.meta.dir, 'peer/node_modules', name, 'package.json')
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return 'missing'
  }
}

function readSize(name: string, otherwise: number): number {
  const value = Number(process.env[name] ?? otherwise)
  if (Number.isInteger(value) && value >= 1) return value
  throw new UsageError(`${name} must be a whole number of at least 1.`)
}
