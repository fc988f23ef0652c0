// Rows of tables that are generated from a real catalog. The figures and the misses are printed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type RowQuery, resolveRows } from '#actions/matching/resolve-rows.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { sizedFor } from '../../support/chaos.ts'
import {
  changeNumber,
  drawCards,
  listUniquelyNamed,
  type RealCard,
  readRealCards,
  SET_COLUMNS,
  writeRow,
} from '../../support/matching/real-rows.ts'
import { randomFrom, SEED } from '../../support/random.ts'
import { RECORDED_SYNC_MS_MAX, recordedCatalog } from '../../support/sync/real-upstream.ts'

const recorded = recordedCatalog(import.meta.path)
afterAll(() => recorded?.remove(), 60_000)

const ROWS = sizedFor(2_000, 20_000)

describe.skipIf(recorded === undefined)('of 100 rows of a real catalog', () => {
  let catalog: Catalog
  let cards: RealCard[]

  beforeAll(async () => {
    await recorded?.sync()
    catalog = openCatalog(recorded?.dataDir ?? '', (url) => url)
    cards = readRealCards(join(recorded?.dataDir ?? '', 'catalog.db'))
  }, RECORDED_SYNC_MS_MAX)

  afterAll(() => catalog?.close())

  function openPick() {
    const random = randomFrom(SEED)
    return (below: number) => Math.floor(random() * below)
  }

  /** Resolves rows, prints the share that is right and the first misses, and returns the share. */
  async function score(figure: string, wanted: readonly RealCard[], rows: readonly RowQuery[]) {
    const byId = new Map(cards.map((card) => [card.id, card]))
    const answers = await resolveRows({ catalog }, rows)
    const misses = answers.flatMap((answer, at) => {
      const card = wanted[at]
      const found = 'reason' in answer ? undefined : byId.get(answer.card_id)
      if (card === undefined || isSameCard(card, found)) return []
      return [
        `${JSON.stringify(rows[at])} → ${found?.name} | ${found?.set_name} | ${found?.number}`,
      ]
    })
    const right = rows.length - misses.length
    console.log(`${figure}, seed ${SEED}: ${right} of ${rows.length} right`)
    for (const miss of misses.slice(0, MISSES_SHOWN)) console.log(`  ${miss}`)
    return right / rows.length
  }

  test('99.9 with name, set and number are right', async () => {
    const pick = openPick()
    const numbered = cards.filter(({ number }) => number !== null)
    for (const columns of SET_COLUMNS) {
      const wanted = drawCards(numbered, ROWS, pick)
      const rows = wanted.map((card) => writeRow(card, columns))
      const share = await score(`complete rows, set by ${columns}`, wanted, rows)
      expect(share).toBeGreaterThanOrEqual(0.999)
    }
  }, 120_000)

  test('98 are right with the number of another source', async () => {
    const pick = openPick()
    const bySet = Map.groupBy(cards, ({ set_id }) => set_id)
    const wanted = drawCards(listUniquelyNamed(cards), ROWS, pick)
    const rows = wanted.map((card) => ({
      ...writeRow(card, SET_COLUMNS[pick(SET_COLUMNS.length)] ?? 'name'),
      number: changeNumber(card, bySet.get(card.set_id) ?? [], pick),
    }))
    expect(await score('changed numbers', wanted, rows)).toBeGreaterThanOrEqual(0.98)
  }, 120_000)
})

const MISSES_SHOWN = 20

/**
 * Returns true for the card itself, or for one with the same name and number in a set that has the same name or code:
 * a real catalog has some sets twice, and the row does not tell them apart.
 */
function isSameCard(card: RealCard, found: RealCard | undefined): boolean {
  if (found === undefined) return false
  const isSameSet =
    found.set_id === card.set_id ||
    normalizeName(found.set_name) === normalizeName(card.set_name) ||
    (found.game === card.game && found.abbreviation === card.abbreviation)
  return (
    found.id === card.id ||
    (isSameSet &&
      normalizeName(found.name) === normalizeName(card.name) &&
      isSameNumber(card.number ?? '', found.number ?? ''))
  )
}
