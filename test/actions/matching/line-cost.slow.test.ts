// Processor time of lines that are written to take long. The most expensive lines are printed.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import { readConfig } from '#config.ts'
import { parseDate } from '#rules/primitives/days.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { CATALOG_FILE } from '#store/files/data-folder.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { median } from '../../../bench/measure.ts'
import { seedCatalog } from '../../../scripts/tools/seed/seed-catalog.ts'
import { sizedFor } from '../../support/chaos.ts'
import { countTurns } from '../../support/event-loop-turns.ts'
import {
  type CatalogTexts,
  drawHostileLines,
  type HostileLine,
} from '../../support/matching/hostile-lines.ts'
import { SEED } from '../../support/random.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'

const recorded = recordedCatalog(import.meta.path)
const seeded = mkdtempSync(join(tmpdir(), 'cardstock-lines-'))
afterAll(() => {
  recorded?.remove()
  rmSync(seeded, { recursive: true })
}, 60_000)

const CATALOGS: [name: string, open: () => Promise<string>][] = [
  [
    'the real catalog',
    async () => {
      await recorded?.sync()
      return recorded?.dataDir ?? ''
    },
  ],
  [
    'a generated catalog',
    async () => {
      const size = { cards: sizedFor(20_000, 100_000), days: 2, seed: 1, force: true }
      const lastDay = parseDate('2026-08-05') ?? 0
      await seedCatalog(readConfig({ DATA_DIR: seeded }), { ...size, lastDay, onProgress() {} })
      return seeded
    },
  ],
]

/** The limit of a line, whatever it contains (docs/reference/choices.md). */
const LINE_MS_MAX = 5
const REPORTED = [
  '7 Pikachu (abc) 7/49 [wxyz] *F*',
  'Island (Judge Gift Cards 2003) [Amonkhet] {PPTK} <Darksteel>',
]
/** So many times as long if the cards and sets that it names were not read before. */
const UNCACHED = 2.5
/** Limit in plain lines, which take longer on slower machines. */
const PLAIN_LINES_MAX = 550

describe.each(CATALOGS.filter(([name]) => name !== 'the real catalog' || recorded !== undefined))(
  'in %s',
  (_, open) => {
    test(
      `no line takes more than ${LINE_MS_MAX} ms of processor time`,
      async () => {
        const dataDir = await open()
        const texts = readTexts(dataDir)
        const catalog = openCatalog(dataDir, (url) => url)
        const lines = [
          ...REPORTED.map((line) => ({ kind: 'as reported', line })),
          ...drawHostileLines(texts, { each: sizedFor(4, 40), seed: SEED }),
        ]
        // Compiles what is measured.
        await measureLines(catalog, lines.slice(0, 40))
        const plainMs = await measurePlainLine(catalog, texts.names)
        const costs = await measureLines(catalog, lines)
        const uncached = await measureUncached(
          catalog,
          drawHostileLines(texts, { each: sizedFor(8, 40), seed: SEED + 1 }),
        )
        catalog.close()
        for (const list of [costs, uncached]) {
          console.log(Bun.inspect.table(list.toSorted((a, b) => b.ms - a.ms).slice(0, 10)))
        }
        console.log(`a plain line: ${plainMs} ms`)
        const limit = Math.max(LINE_MS_MAX, PLAIN_LINES_MAX * plainMs)
        expect(costs.filter(({ ms }) => ms > limit)).toEqual([])
        expect(uncached.filter(({ ms }) => ms > UNCACHED * limit)).toEqual([])
      },
      RECORDED_SYNC_MS_MAX,
    )
  },
)

/** Measures lines that are the names of cards, together, in milliseconds of one. */
async function measurePlainLine(catalog: Catalog, names: readonly string[]): Promise<number> {
  const items = names.map((name) => ({ name }))
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push((await countTurns(resolveNames({ catalog }, items))).cpuMs / items.length)
  }
  return median(rounds)
}

/** Measures each line alone, as often as the clock of processor time needs. */
async function measureLines(catalog: Catalog, lines: readonly HostileLine[]) {
  const costs: (HostileLine & { ms: number })[] = []
  for (const { kind, line } of lines) {
    // The median of rounds, because the collector and the compiler run in some of them.
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const items = Array.from({ length: LINES_A_ROUND }, () => ({ name: line }))
      const { cpuMs } = await countTurns(resolveNames({ catalog }, items))
      rounds.push(cpuMs / LINES_A_ROUND)
    }
    costs.push({ kind, line: line.slice(0, 60), ms: Math.round(median(rounds) * 1000) / 1000 })
  }
  return costs
}

/** Measures the lines of each kind, in milliseconds of one, without the cards and sets that the store caches. */
async function measureUncached(catalog: Catalog, lines: readonly HostileLine[]) {
  const costs: { kind: string; ms: number }[] = []
  for (const [kind, alike] of Map.groupBy(lines, ({ kind }) => kind)) {
    let total = 0
    for (const { line } of alike) {
      catalog.names.invalidate()
      // Reads what each request needs once after a publication.
      catalog.names.findContaining('aaa', 1)
      total += (await countTurns(resolveNames({ catalog }, [{ name: line }]))).cpuMs
    }
    costs.push({ kind, ms: Math.round((total / alike.length) * 1000) / 1000 })
  }
  return costs
}

const ROUNDS = 3
const LINES_A_ROUND = 10

/** Reads the texts of which hostile lines are made. */
function readTexts(dataDir: string): CatalogTexts {
  const db = openDatabase(join(dataDir, CATALOG_FILE), { readonly: true })
  const list = (sql: string) => db.prepare<[], string>(sql).pluck().all()
  const names = list('SELECT DISTINCT name FROM cards ORDER BY id % 997, id LIMIT 3000')
  const texts = {
    names,
    reprinted: list('SELECT name FROM cards GROUP BY name ORDER BY count(*) DESC, name LIMIT 40'),
    words: frequentWords(db),
    sets: list(
      `SELECT abbreviation FROM sets WHERE abbreviation IS NOT NULL
        UNION SELECT name FROM sets ORDER BY 1`,
    ),
    largeSets: list(
      `SELECT label FROM (
         SELECT name AS label, card_count FROM sets
         UNION SELECT abbreviation, card_count FROM sets WHERE abbreviation IS NOT NULL)
        ORDER BY card_count DESC, label LIMIT 60`,
    ).concat(list('SELECT key FROM set_keys GROUP BY key HAVING count(*) > 2 ORDER BY 1 LIMIT 30')),
    printings: list('SELECT name FROM printings ORDER BY name'),
    numbers: list('SELECT DISTINCT number FROM cards WHERE number IS NOT NULL ORDER BY id % 991'),
  }
  db.close()
  return texts
}

function frequentWords(db: Db): string[] {
  const counts = new Map<string, number>()
  for (const name of db.prepare<[], string>('SELECT name FROM cards').pluck().all()) {
    for (const word of name.split(/\P{L}+/u)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const sorted = [...counts].filter(([word]) => word.length > 1).sort((a, b) => b[1] - a[1])
  return sorted.slice(0, 200).map(([word]) => word)
}
