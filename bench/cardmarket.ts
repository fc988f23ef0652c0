import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SourceReport } from '#actions/sync/cardmarket/import-cardmarket.ts'
import { matchCatalog } from '#rules/sync/cardmarket/match-products.ts'
import { openSourceProductStore } from '#store/catalog/sources/source-products.ts'
import { openDatabase } from '#store/db.ts'
import {
  guideRow,
  writePriceGuide,
  writeProductLists,
} from '../test/support/sync/cardmarket-files.ts'
import { type GeneratedLists, generateLists } from '../test/support/sync/cardmarket-lists.ts'
import { recordedCatalog } from '../test/support/sync/real-upstream.ts'
import { scoreMatches } from '../test/support/sync/score-matches.ts'
import { newKey } from './data.ts'
import { peakOf } from './measure.ts'
import { requireServer } from './prices.ts'
import { startServer, withServers } from './servers.ts'
import { type Latency, openPriceReader } from './sync.ts'
import { formatShort, type Row } from './table.ts'

/** Matches products of generated lists with a real catalog, and imports a price guide of Pokémon's real size. */
export async function benchCardmarket(): Promise<Row[]> {
  const recorded = recordedCatalog(import.meta.file)
  if (recorded === undefined) throw new Error('There is no real catalog.')
  try {
    await recorded.sync()
    const rows = GAMES.map((game) => matchGenerated(recorded.dataDir, game))
    return [...rows, ...(await benchImport(recorded.dataDir))]
  } finally {
    recorded.remove()
  }
}

type Game = { name: string; categories: number[]; hasAttacks?: boolean; hasNumbers?: boolean }

/** The real catalog has no attacks of Pokémon, so these are invented. */
const GAMES: readonly Game[] = [
  { name: 'Pokémon', categories: [3], hasAttacks: true },
  { name: 'Pokémon with its Japanese expansions', categories: [3, 85], hasAttacks: true },
  { name: 'Pokémon without attacks', categories: [3] },
  { name: 'Magic', categories: [1] },
  { name: 'Flesh and Blood', categories: [62] },
  { name: 'One Piece', categories: [68] },
  { name: 'One Piece with numbers in its names', categories: [68], hasNumbers: true },
  { name: 'Lorcana', categories: [71] },
]

function matchGenerated(dataDir: string, game: Game): Row {
  const { name } = game
  const lists = generate(dataDir, game)
  const started = process.cpuUsage()
  const result = matchCatalog({ ...lists, known: new Map() })
  const { user, system } = process.cpuUsage(started)
  const { total, sets, wrong } = scoreMatches(lists, result)
  const table = sets
    .toSorted((a, b) => b.missing - a.missing)
    .map(({ set, possible, matched, wrong: wrongOnes, missing }) =>
      [set, possible, matched, wrongOnes, missing].join('\t'),
    )
  const listed = wrong.map(({ product, found, right, method }) =>
    [product, `matched with ${found}`, `is ${right}`, method].join('\t'),
  )
  const head = `\n${name}\nset\tpossible\tmatched\twrong\tmissing`
  process.stderr.write(`${[head, ...table, 'Wrong:', ...listed].join('\n')}\n`)
  const matchedShare = total.matched / total.possible
  const wrongShare = total.wrong / (total.matched + total.wrong)
  return {
    figure: `products of ${name}: ${total.possible} whose card the catalog has`,
    ours: `${percent(matchedShare)} matched, ${percent(wrongShare)} of the matches wrong (${total.wrong}), ${formatShort((user + system) / 1e6)} s CPU`,
    target: '95 %, 0.5 %',
    met: matchedShare >= 0.95 && wrongShare < 0.005,
  }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`
}

function generate(
  dataDir: string,
  { categories, hasAttacks = false, hasNumbers = false }: Omit<Game, 'name'>,
): GeneratedLists {
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  try {
    const store = openSourceProductStore(db)
    const [cards, sets] = [store.listCards(categories), store.listSets(categories)]
    return generateLists({ cards, sets, seed: SEED, hasAttacks, hasNumbers })
  } finally {
    db.close()
  }
}

const SEED = 1

/** Imports lists and a guide of 78,244 products while a server answers requests, and the same guide a day later. */
async function benchImport(dataDir: string): Promise<Row[]> {
  const root = join(import.meta.dir, 'run', 'cardmarket')
  const { products } = generate(dataDir, { categories: [3, 85] })
  // Adds expansions that the catalog lacks, up to the size of the real guide.
  for (let id = 5_000_000; products.length < ROWS; id++) {
    const expansion_id = 900_000 + (id % 300)
    products.push({
      id,
      name: `Heron ${id % 9_999}`,
      expansion_id,
      is_sealed: false,
      added_on: null,
    })
  }
  writeProductLists(root, 6, products)
  const keys = [await newKey(dataDir, 'business')]
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const cardIds = db
    .prepare<[], number>('SELECT card_id FROM price_texts LIMIT 20000')
    .pluck()
    .all()
  db.close()
  const writeGuide = (day: number) => {
    const createdAt = new Date(Date.now() - 7_200_000 + day * 3_600_000).toISOString()
    const rows = products.map(({ id }) => {
      // A third of the prices change every day.
      const price = ((id * 7_919) % 50_000) / 100 + 0.5
      const moved = id % 3 === 0 ? price * (1 + day / 20) : price
      return guideRow(id, Math.round(moved * 100) / 100, id % 2 === 0 ? price * 2 : null)
    })
    writePriceGuide(root, 6, rows, createdAt.replace(/\.\d+Z$/, '+0000'))
  }
  try {
    return await withServers([startServer(dataDir)], async ([server]) => {
      const reader = openPriceReader(requireServer(server), { cardIds, keys })
      const idle = await reader.until(Bun.sleep(4_000))
      const rows: Row[] = []
      for (const [day, name] of ['first import', 'import of the next day'].entries()) {
        writeGuide(day)
        const run = runImport(dataDir, root)
        const busy = await reader.until(run)
        rows.push(...rowsOf(name, await run, { idle, busy }))
      }
      return rows
    })
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Rows in Pokémon's real guide. */
const ROWS = 78_244

type Run = { report: SourceReport; seconds: number; cpu: number; peak: number }

async function runImport(dataDir: string, root: string): Promise<Run> {
  const started = performance.now()
  const child = Bun.spawn(
    ['bun', 'scripts/sync.ts', '--source', 'cardmarket', '--game', 'pokemon'],
    {
      cwd: join(import.meta.dir, '..'),
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: dataDir,
        CARDMARKET_URL: pathToFileURL(root).href,
      },
      stdout: 'pipe',
      stderr: 'ignore',
    },
  )
  let peak = 0
  const watch = setInterval(() => {
    // NaN once the process has ended.
    peak = Math.max(peak, readPeak(child.pid))
  }, 20)
  const text = await new Response(child.stdout).text()
  const code = await child.exited
  clearInterval(watch)
  if (code !== 0) throw new Error(`The import failed: ${text}`)
  const { cpuTime } = child.resourceUsage() ?? { cpuTime: { total: 0 } }
  const seconds = (performance.now() - started) / 1000
  return { report: JSON.parse(text), seconds, cpu: Number(cpuTime.total) / 1e6, peak }
}

function readPeak(pid: number): number {
  try {
    return peakOf(pid) || 0
  } catch {
    return 0
  }
}

function rowsOf(
  name: string,
  { report, seconds, cpu, peak }: Run,
  { idle, busy }: { idle: Latency; busy: Latency },
): Row[] {
  const { products, prices, prices_changed } = report
  const summarize = ({ p50, p99, max }: Latency) =>
    `p50 ${formatShort(p50)} ms, p99 ${formatShort(p99)} ms, longest ${formatShort(max)} ms`
  return [
    {
      figure: `${name}: ${products} products, ${prices} prices, ${prices_changed} of them changed`,
      ours: `${formatShort(seconds)} s (${formatShort(cpu)} s CPU), ${formatShort(peak / 1e6)} MB of memory`,
    },
    {
      figure: '- prices of a card during it, over HTTP',
      ours: summarize(busy),
      limit: `without it ${summarize(idle)}`,
      target: 'p99 15 ms',
      met: busy.p99 <= 15,
    },
  ]
}
