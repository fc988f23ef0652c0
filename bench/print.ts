import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { findCandidates } from '#actions/photos/read-photo.ts'
import { cleanName } from '#rules/catalog/names.ts'
import { decideVerdict } from '#rules/photos/verdict.ts'
import { openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createSeededRandom } from '../scripts/tools/seed/random.ts'
import { syncRecorded, unpackRecordedUpstream } from '../test/support/sync/real-upstream.ts'
import { type CardToPrint, printCard } from './printed-cards.ts'
import { formatShare } from './share.ts'
import type { Row } from './table.ts'

const CARDS = 3_000
const SEED = 4_903

/** Identifies real cards of a catalog without pictures by their print, with misread letters and missing lines. */
export async function benchPrint(): Promise<Row[]> {
  const root = unpackRecordedUpstream(import.meta.path, ['catalog'])
  if (root === undefined) return [{ figure: 'print', ours: 'skipped: no recorded catalog' }]
  const dataDir = join(root, 'data')
  try {
    prepareFiles(dataDir)
    await syncRecorded(join(root, 'catalog'), dataDir)
    return measurePrint(dataDir)
  } finally {
    rmSync(root, { recursive: true })
  }
}

type Count = {
  photos: number
  legible: number
  legibleMatched: number
  matched: number
  wrong: number
  names: number
  wrongNames: number
  numbers: number
  wrongNumbers: number
}

/** @param show called for each wrong match, name or number */
export function measurePrint(dataDir: string, show: (text: string) => void = () => {}): Row[] {
  const catalog = openCatalog(dataDir, (url) => url)
  const games = catalog.games.listFreshness().map(({ slug }) => slug)
  const random = createSeededRandom(SEED)
  const counts = new Map<string, Count>()
  for (const card of sampleCards(dataDir, random)) {
    const observation = printCard(card, random)
    const { reading, cards } = findCandidates(catalog, observation, undefined)
    const { status, read, candidates } = decideVerdict(reading, cards, games)
    const count = counts.get(card.game) ?? {
      photos: 0,
      legible: 0,
      legibleMatched: 0,
      matched: 0,
      wrong: 0,
      names: 0,
      wrongNames: 0,
      numbers: 0,
      wrongNumbers: 0,
    }
    counts.set(card.game, count)
    const isMatched = status === 'matched'
    const isWrong = isMatched && candidates[0]?.card.id !== card.id
    const letters = (text: string) => cleanName(text).toLowerCase().replaceAll(' ', '')
    const isNameWrong = read.name !== '' && !letters(card.name).includes(letters(read.name))
    const digits = (text: string) => text.replace(/\/.*/, '').replace(/^([A-Z-]*)0+/, '$1')
    const isNumberWrong =
      read.number !== '' &&
      digits(read.number) !==
        digits((card.number ?? '').replace(/(?:_[a-z][0-9]+|s?[★†]|sb?|p)$/, ''))
    count.photos++
    const isLegible = read.readable.name && read.readable.number
    count.legible += Number(isLegible)
    count.legibleMatched += Number(isLegible && isMatched)
    count.matched += Number(isMatched)
    count.wrong += Number(isWrong)
    count.names += Number(read.name !== '')
    count.wrongNames += Number(isNameWrong)
    count.numbers += Number(read.number !== '')
    count.wrongNumbers += Number(isNumberWrong)
    if (isWrong || isNameWrong || isNumberWrong) {
      show(
        `${isWrong ? 'MATCH' : ''} ${isNameWrong ? 'NAME' : ''} ${isNumberWrong ? 'NUMBER' : ''} ${card.name} | ${card.number} | ${card.set_code}: read ${read.name} | ${read.number}; first ${candidates[0]?.card.name} ${candidates[0]?.card.number} ${candidates[0]?.card.set.name}; ${reading.lines.map(({ text, confidence }) => `${text} ${confidence.toFixed(2)}`).join(' / ')}`,
      )
    }
    if (isLegible && !isMatched)
      show(
        `  OPEN ${card.name} | ${card.number} | ${card.set_code}: ${status} ${candidates
          .slice(0, 3)
          .map(
            ({ card, score }) => `${card.name} ${card.number} ${card.set.name} ${score.toFixed(3)}`,
          )
          .join(' / ')}`,
      )
  }
  const all = [...counts.values()].reduce((sum, one) => addCounts(sum, one))
  return [...counts, ['all games', all] as const].map(([game, count]) => toRow(game, count))
}

function addCounts(one: Count, other: Count): Count {
  const keys = Object.keys(one) as (keyof Count)[]
  return Object.fromEntries(keys.map((key) => [key, one[key] + other[key]])) as Count
}

function toRow(game: string, count: Count): Row {
  return {
    figure: `print of ${game}`,
    ours: `matched ${formatShare(count.matched, count.photos)}; name and number read ${count.legible}, of them matched ${count.legibleMatched}; wrong ${count.wrong}; names ${count.names}, wrong ${count.wrongNames}; numbers ${count.numbers}, wrong ${count.wrongNumbers}`,
    target: 'wrong under 0.4 %',
    met: count.wrong <= 0.004 * count.matched,
  }
}

/** Samples cards with Latin names and numbers, the same in every run. */
function* sampleCards(
  dataDir: string,
  random: ReturnType<typeof createSeededRandom>,
): Generator<CardToPrint> {
  const db = openDatabase(join(dataDir, 'catalog.db'), { readonly: true })
  const ids = db
    .prepare<[], number>(
      `SELECT cards.id FROM cards JOIN games ON games.id = game_id
        WHERE product_type = 'Cards' AND number IS NOT NULL AND games.slug <> 'pokemon-japan' ORDER BY cards.id`,
    )
    .pluck()
    .all()
  const one = db.prepare<[number], Omit<CardToPrint, 'rules'> & { attributes: string }>(
    `SELECT cards.id, games.slug AS game, cards.name, number, abbreviation AS set_code, custom_attributes AS attributes,
            (SELECT count(*) FROM cards AS other WHERE other.set_id = cards.set_id) AS total
       FROM cards JOIN games ON games.id = cards.game_id JOIN sets ON sets.id = set_id WHERE cards.id = ?`,
  )
  for (let index = 0; index < CARDS; index++) {
    const row = one.get(random.pick(ids))
    if (row === undefined || row === null) continue
    const { attributes, ...card } = row
    yield { ...card, total: Math.max(card.total, 20), rules: rulesOf(JSON.parse(attributes)) }
  }
  db.close()
}

/** Returns names of attacks, and the first words of rules. */
function rulesOf(attributes: Record<string, unknown>): string[] {
  const attacks = ['attack1', 'attack2'].flatMap((key) => {
    const text = attributes[key]
    return typeof text === 'string'
      ? (/^(?:\[[^\]]*\]\s*)*([^([<]*)/.exec(text)?.[1]?.trim() ?? [])
      : []
  })
  const { subType, oracleText } = attributes
  return [...attacks, subType, oracleText].flatMap((text) =>
    typeof text === 'string' && text !== '' ? (text.split('\n')[0] ?? '').slice(0, 40) : [],
  )
}
