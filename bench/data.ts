import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createKey } from '#actions/accounts/manage-keys.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { openLedger } from '#store/open-ledger.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import type { SeedReport } from '../scripts/tools/seed/seed-catalog.ts'

/** The catalog that benchmarks run on. */
export type BenchData = {
  /** A data folder with both files, filled by `bun run seed`. */
  dataDir: string
  catalogFile: string
  /** Folder for temporary files. */
  scratch: string
  seeded: SeedReport & { lastDay: number }
  /** Random ids of cards with prices, the same in every run. */
  cardIds: readonly number[]
  /** Random tracked series: card id and printing; the same in every run. */
  series: readonly { card_id: number; printing_id: number }[]
  /** Keys of so many accounts of the highest tier that no quota is reached. */
  keys: readonly string[]
  /** Typical search terms: common words, rare words, prefixes and whole names. */
  queries: readonly string[]
}

/** Returns the catalog to measure, generated on first use and whenever another size is requested. */
export async function prepareData(cards: number, days: number): Promise<BenchData> {
  const root = join(import.meta.dir, 'run')
  const dataDir = join(root, 'data')
  const scratch = join(root, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const seeded = await seedOnce(root, dataDir, cards, days)
  const catalogFile = join(dataDir, 'catalog.db')
  const db = openDatabase(catalogFile, { readonly: true })
  try {
    return {
      dataDir,
      catalogFile,
      scratch,
      seeded,
      cardIds: cardIdsOf(db),
      series: seriesOf(db),
      queries: queriesOf(db),
      keys: await keysIn(dataDir),
    }
  } finally {
    db.close()
  }
}

async function seedOnce(
  root: string,
  dataDir: string,
  cards: number,
  days: number,
): Promise<BenchData['seeded']> {
  const note = join(root, 'seeded.json')
  // Files with another schema cannot be read.
  const steps = [...CATALOG_MIGRATIONS, ...LEDGER_MIGRATIONS]
  const schema = Bun.hash(steps.map(({ sql }) => sql).join()).toString(36)
  const wanted = `${cards} cards, ${days} days, schema ${schema}`
  // A sync of today requires that the catalog ends yesterday.
  const lastDay = dayOf(new Date()) - 1
  if (existsSync(note)) {
    const known: BenchData['seeded'] & { of: string } = JSON.parse(readFileSync(note, 'utf8'))
    if (known.of === wanted && known.lastDay === lastDay) return known
  }
  rmSync(note, { force: true })
  rmSync(dataDir, { recursive: true, force: true })
  process.stderr.write(`Generating a catalog of ${cards} cards and ${days} days in ${dataDir} …\n`)
  const child = Bun.spawn(
    ['bun', 'scripts/seed.ts', '--cards', String(cards), '--days', String(days)],
    {
      cwd: join(import.meta.dir, '..'),
      env: { ...process.env, DATA_DIR: dataDir },
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('The catalog could not be generated.')
  const report: SeedReport = JSON.parse(text)
  const seeded = { ...report, lastDay }
  writeFileSync(note, JSON.stringify({ ...seeded, of: wanted }))
  return seeded
}

export function cardIdsOf(db: Db): number[] {
  const ids = db
    .prepare<[], number>('SELECT card_id FROM price_texts ORDER BY card_id')
    .pluck()
    .all()
  return draw(ids, REQUESTS)
}

function seriesOf(db: Db): BenchData['series'] {
  const rows = db.prepare<[], { card_id: number; printing_id: number }>(
    'SELECT card_id, printing_id FROM prices WHERE tracked_since IS NOT NULL ORDER BY 1, 2',
  )
  return draw(rows.all(), REQUESTS)
}

/** Returns fifteen queries: the most common words, pairs of words, prefixes, and names from the whole catalog. */
export function queriesOf(db: Db): string[] {
  const names = db
    .prepare<[], string>('SELECT clean_name FROM cards WHERE id % 7 = 0 ORDER BY id LIMIT 50000')
    .pluck()
    .all()
  const drawn = draw(names, 7)
  const name = (index: number) => drawn[index] ?? 'dragon'
  return [
    'dragon',
    'of',
    'th',
    'kn',
    'dark knight',
    'dragon of',
    'storm',
    'shadow ma',
    name(0),
    name(1),
    name(2),
    name(3).slice(0, 3),
    name(4).slice(0, 5),
    name(5).split(' ').reverse().join(' '),
    'booster box',
  ]
}

function draw<T>(from: readonly T[], count: number): T[] {
  const chance = createSeededRandom(count, from.length)
  return Array.from({ length: count }, () => chance.pick(from))
}

/**
 * Returns keys of accounts that only the benchmarks use. They are created once, and their quotas are reset on each
 * run.
 */
async function keysIn(dataDir: string): Promise<string[]> {
  // Stored beside the ledger that has their hashes.
  const file = join(dataDir, 'keys.json')
  const ledger = openDatabase(join(dataDir, 'ledger.db'))
  ledger.exec('DELETE FROM usage_daily')
  ledger.close()
  if (existsSync(file)) {
    const keys: string[] = JSON.parse(readFileSync(file, 'utf8'))
    if (keys.length === ACCOUNTS) return keys
  }
  const keys: string[] = []
  for (let index = 0; index < ACCOUNTS; index++) keys.push(await newKey(dataDir, 'business'))
  writeFileSync(file, JSON.stringify(keys))
  return keys
}

/** Creates an account with `scans` scans besides its trial, and returns its key. */
export async function newKey(dataDir: string, tier: Tier, scans = 0): Promise<string> {
  const ledger = openLedger(dataDir)
  try {
    const email = `${randomUUID()}@bench.example`
    const now = () => new Date()
    const context = { now: now(), address: undefined }
    const account = await ledger.accounts.create({ email, password_hash: 'none', tier }, context)
    if (account === undefined) throw new Error('the account already exists')
    const grant = { account_id: account.id, n: scans, ref: email }
    if (scans > 0) await ledger.scans.grant(grant, context)
    const key = { account_id: account.id, address: undefined, name: 'bench' }
    return (await createKey({ ledger, now }, key)).key
  } finally {
    ledger.close()
  }
}

/** Different requests in a load: enough that no cache of a few hundred responses holds them all. */
const REQUESTS = 20_000
/** Enough for some minutes of load, at 50,000 requests a day each. */
const ACCOUNTS = 400
