import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { importHistory } from '#actions/sync/import-history.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import {
  assessPrice,
  CONFIDENCE_LEVELS,
  CONFIDENCE_REASONS,
  type PriceConfidence,
} from '#rules/pricing/confidence.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { PriceFactRecord } from '#store/catalog/sources/price-facts.ts'
import { openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import {
  recordedNow,
  syncRecorded,
  unpackRecordedUpstream,
} from '../test/support/sync/real-upstream.ts'
import { createWarningLog } from '../test/support/sync/upstream-fixture.ts'
import { median, timeEach } from './measure.ts'
import { formatShort, percent, type Row } from './table.ts'

/**
 * Computes the confidence of the real prices of one game with 13 days of history: levels, their reasons, and examples
 * to read.
 */
export async function benchConfidence(): Promise<Row[]> {
  const root = unpackRecordedUpstream(import.meta.path, ['catalog', 'archive'])
  if (root === undefined) return [{ figure: 'confidence', ours: 'skipped: no recorded prices' }]
  const dataDir = join(root, 'data')
  try {
    prepareFiles(dataDir)
    await syncRecorded(join(root, 'catalog'), dataDir)
    const catalogWriter = openCatalogWriter(dataDir)
    const deps = { catalogWriter, log: createWarningLog([]), now: recordedNow }
    importHistory(deps, join(root, 'archive/archive/tcgplayer'))
    catalogWriter.close()
    return measure(dataDir)
  } finally {
    rmSync(root, { recursive: true })
  }
}

type Judged = { facts: PriceFactRecord; confidence: PriceConfidence; name: string }

function measure(dataDir: string): Row[] {
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const names = new Map(
    db
      .prepare<[number], { id: number; name: string }>(
        `SELECT cards.id, cards.name || ', ' || sets.name AS name FROM cards JOIN sets ON sets.id = set_id
          WHERE cards.game_id = ? ORDER BY cards.id`,
      )
      .all(RECORDED_GAME)
      .map(({ id, name }) => [id, name]),
  )
  db.close()
  const catalog = openCatalog(dataDir, createPictureUrl('http://127.0.0.1'))
  const today = Math.floor(recordedNow().getTime() / MS_PER_DAY)
  const judge = (ids: Iterable<number>): Judged[] =>
    catalog.sources.facts.listByCards(ids).map((facts) => {
      const name = `${names.get(facts.card_id)}, ${facts.printing}`
      return { facts, confidence: assessPrice(facts, today), name }
    })
  const judged = judge(names.keys())
  const list = [...names.keys()].slice(0, 500)
  const micros = median([...timeEach(50, () => judge(list))])
  catalog.close()
  return [
    ...levelRows(judged, 'all prices'),
    ...levelRows(judged.filter(isFromADollar), 'prices from $1'),
    ...CONFIDENCE_REASONS.map((reason) => reasonRow(judged.filter(isFromADollar), reason)),
    { figure: 'facts and levels of 500 cards', ours: `p50 ${formatShort(micros / 1000)} ms` },
    ...drawExamples(judged.filter(isFromADollar)).map(exampleRow),
  ]
}

/** Pokémon: the only game in the recorded mirror with real prices. */
const RECORDED_GAME = 3

function isFromADollar({ facts }: Judged): boolean {
  return (facts.market_price ?? 0) >= 100
}

function levelRows(judged: readonly Judged[], of: string): Row[] {
  return CONFIDENCE_LEVELS.map((level) => {
    const count = judged.filter(({ confidence }) => confidence.level === level).length
    return { figure: `${of}: ${level}`, ours: `${percent(count / judged.length)} (${count})` }
  })
}

function reasonRow(judged: readonly Judged[], reason: (typeof CONFIDENCE_REASONS)[number]): Row {
  const count = judged.filter(({ confidence }) => confidence.reasons.includes(reason)).length
  return {
    figure: `prices from $1: ${reason}`,
    ours: `${percent(count / judged.length)} (${count})`,
  }
}

/** Draws 40 prices spread over the levels, because most prices have the highest one. */
function drawExamples(judged: readonly Judged[]): Judged[] {
  const chance = createSeededRandom(Number(process.env.BENCH_SEED ?? 1))
  return CONFIDENCE_LEVELS.flatMap((level) => {
    const among = judged.filter(({ confidence }) => confidence.level === level)
    return Array.from({ length: EXAMPLES[level] }, () => chance.pick(among))
  })
}

const EXAMPLES = { high: 10, medium: 15, low: 15 } as const

function exampleRow({ facts, confidence, name }: Judged): Row {
  const { market_price, low_price, median_price, bases, unchanged_days } = facts
  const dollars = (cents: number | null) => (cents === null ? '–' : (cents / 100).toFixed(2))
  const amounts = `market ${dollars(market_price)}, low ${dollars(low_price)}, median ${dollars(median_price)}`
  const before = `1 day before ${dollars(bases['24h'])}, 7 ${dollars(bases['7d'])}`
  return {
    figure: `${name}: ${amounts}, ${before}, unchanged ${unchanged_days} days`,
    ours: [confidence.level, ...confidence.reasons].join(' '),
  }
}
