// Rows of tables that are generated from a real catalog. The figures and the misses are printed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import { type RowQuery, resolveRows } from '#actions/matching/resolve-rows.ts'
import { isSameNumber } from '#rules/catalog/number-forms.ts'
import { listSetCodes, listSetNames } from '#rules/catalog/set-codes.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { sizedFor } from '../../support/chaos.ts'
import {
  changeNumber,
  copyWithoutSets,
  createRegularPrices,
  drawCards,
  drawNameParts,
  listUniquelyNamed,
  listVariants,
  type RealCard,
  type RealVariant,
  readRealCards,
  SET_COLUMNS,
  titleOf,
  unmarked,
  wholeSetName,
  writeRow,
} from '../../support/matching/real-rows.ts'
import { randomFrom, SEED } from '../../support/random.ts'
import {
  RECORDED_SYNC_MS_MAX,
  recordedCatalog,
  syncRecorded,
} from '../../support/sync/real-upstream.ts'

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

  /** Lists the rows whose matches an import takes by default. */
  async function listTaken(from: Catalog, rows: readonly RowQuery[]) {
    const answers = await resolveRows({ catalog: from }, rows)
    return answers.flatMap((answer, at) =>
      'reason' in answer || answer.certainty === 'guessed' ? [] : [{ at, row: rows[at], answer }],
    )
  }

  /** Ways in which apps write a variant of a card: in a column, or in the name, with the set of the product. */
  const VARIANT_ROWS = {
    'in a column': ({ card, label }: RealVariant) => ({
      ...writeRow(card, 'name'),
      name: titleOf(card.name),
      number: unmarked(card.number),
      printing: label,
    }),
    'in the name': ({ card, label }: RealVariant) => ({
      ...writeRow(card, 'name'),
      name: `${titleOf(card.name)} (${label})`,
      number: unmarked(card.number),
    }),
  }

  test('92 that name a variant are right, and none of the others are taken', async () => {
    const variants = listVariants(cards)
    const byId = new Map(cards.map((card) => [card.id, card]))
    console.log(`${variants.length} variants are products of their own`)
    for (const [form, write] of Object.entries(VARIANT_ROWS)) {
      const pick = openPick()
      const drawn = Array.from({ length: ROWS }, () => variants[pick(variants.length)]).filter(
        (one) => one !== undefined,
      )
      const rows = drawn.map(write)
      const wanted = drawn.map(({ card }) => card)
      const share = await score(`variants ${form}`, wanted, rows)
      expect(share).toBeGreaterThanOrEqual(0.92)
      const taken = await listTaken(catalog, rows)
      const others = taken.filter(({ at, answer }) => {
        const card = wanted[at]
        return card !== undefined && !isSameCard(card, byId.get(answer.card_id))
      })
      expect(others).toEqual([])
    }
  }, 240_000)

  test('none that have only a part of a name are taken', async () => {
    const parts = drawNameParts(cards, ROWS, openPick())
    const rows = parts.map((part) => ({ ...part, set_code: null, set_name: null, number: null }))
    expect(await listTaken(catalog, rows)).toEqual([])
  }, 120_000)

  test('all without a set cost as much as the cheapest regular printing', async () => {
    const wanted = drawCards(cards, ROWS, openPick())
    const items = wanted.map(({ name, game }) => ({ name, game }))
    const regular = createRegularPrices(catalog, cards)
    const answers = {
      lines: await resolveNames({ catalog }, items),
      rows: await resolveRows(
        { catalog },
        items.map((item) => ({ ...item, set_code: null, set_name: null, number: null })),
      ),
    }
    for (const [kind, found] of Object.entries(answers)) {
      let compared = 0
      const misses = wanted.flatMap((card, at) => {
        const price = regular.find(card)
        const answer = found[at]
        if (price === undefined || answer === undefined) return []
        compared++
        const taken = 'reason' in answer ? undefined : regular.priceOf(answer.card_id)
        return taken === price ? [] : [`${card.game} ${card.name}: ${taken}, regular ${price}`]
      })
      console.log(`${kind} without a set, seed ${SEED}: ${misses.length} of ${compared} differ`)
      for (const miss of misses.slice(0, MISSES_SHOWN)) console.log(`  ${miss}`)
      expect(misses).toEqual([])
      expect(compared).toBeGreaterThan(ROWS / 2)
    }
  }, 120_000)

  test(
    'none whose set the catalog lacks are taken',
    async () => {
      const root = mkdtempSync(join(tmpdir(), 'cardstock-lacking-'))
      const pick = openPick()
      try {
        const [mirror, dataDir] = [join(root, 'mirror'), join(root, 'data')]
        copyWithoutSets(recorded?.mirror ?? '', mirror, pick)
        prepareFiles(dataDir)
        await syncRecorded(mirror, dataDir)
        const lacking = openCatalog(dataDir, (url) => url)
        const kept = new Set(lacking.sets.listIds())
        // Some sets are in the catalog twice.
        const known = new Set(
          cards.flatMap((card) => (kept.has(card.set_id) ? wholeSetName(card.set_name) : [])),
        )
        const lost = cards.filter((card) => !known.has(wholeSetName(card.set_name)))
        const wanted = drawCards(lost, ROWS, pick)
        const rows = wanted.map((card) => ({
          ...writeRow(card, pick(2) === 0 ? 'name' : 'both'),
          ...(pick(3) === 0 && { number: null }),
        }))
        const taken = await listTaken(lacking, rows)
        lacking.close()
        const byId = new Map(cards.map((card) => [card.id, card]))
        // A real catalog has some sets twice, under two names: the card is the same.
        const others = taken.filter(({ at, answer }) => {
          const card = wanted[at]
          const isNumbered = rows[at]?.number !== null
          return card !== undefined && !isTwin(card, byId.get(answer.card_id), isNumbered)
        })
        console.log(
          `set removed, seed ${SEED}: ${taken.length} of ${rows.length} taken, ${others.length} another card`,
        )
        expect(others).toEqual([])
      } finally {
        rmSync(root, { recursive: true })
      }
    },
    RECORDED_SYNC_MS_MAX,
  )
})

const MISSES_SHOWN = 20

/** Returns true for the same name in a set with a common name or code, and with the number if the row has one. */
function isTwin(card: RealCard, found: RealCard | undefined, isNumbered: boolean): boolean {
  if (found === undefined) return false
  const labelsOf = ({ game, set_name, abbreviation }: RealCard) => [
    ...listSetNames(set_name),
    ...listSetCodes({ game_slug: game, name: set_name, abbreviation }),
  ]
  const labels = labelsOf(found)
  return (
    normalizeName(titleOf(found.name)) === normalizeName(titleOf(card.name)) &&
    labelsOf(card).some((label) => labels.includes(label)) &&
    (!isNumbered || isSameNumber(card.number ?? '', found.number ?? ''))
  )
}

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
