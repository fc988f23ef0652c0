/** A catalog for imports of Cardmarket prices, from files that a test writes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type ImportRequest,
  importCardmarket,
  type SourceReport,
} from '#actions/sync/cardmarket/import-cardmarket.ts'
import { openConfiguredCardmarket } from '#outbound/marketplace/source-files.ts'
import type { ListedProduct } from '#rules/sync/cardmarket/files.ts'
import { type GuideRow, guideRow, writePriceGuide, writeProductLists } from './cardmarket-files.ts'
import { createSyncWorld, createUpstream } from './upstream-fixture.ts'

/** Cardmarket's id of Pokémon, and the marketplace's. */
export const GAME = 6
export const CATEGORY = 3

export const CARDS_A_SET = 30
const SETS = [301, 302] as const

/** Names that occur once in their set; the two sets have different names. */
const nameOf = (set: number, card: number) =>
  `Heron ${'abcdefghijklmnopqrstuvwxyz'[card % 26]}${card} of ${set}`

export type CardmarketWorld = Awaited<ReturnType<typeof createCardmarketWorld>>

/** Syncs a small catalog, and writes matching product lists and a guide. */
export async function createCardmarketWorld() {
  const upstream = createUpstream('2026-08-04T20:05:50Z')
  upstream.addGame({ id: CATEGORY, name: 'Pokemon' })
  for (const set of SETS) {
    upstream.addSet(CATEGORY, { id: set, name: `Set ${set}` })
    for (let card = 0; card < CARDS_A_SET; card++) {
      upstream.addCard(set, {
        id: set * 100 + card,
        name: nameOf(set, card),
        number: `${card + 1}/${CARDS_A_SET}`,
        prices: { Normal: 1 + card, 'Reverse Holofoil': 2 + card },
      })
    }
  }
  const world = createSyncWorld(upstream)
  await world.day(0)
  const root = mkdtempSync(join(tmpdir(), 'cardstock-cardmarket-'))
  const url = { cardmarketUrl: pathToFileURL(root).href }
  const clock = { now: new Date('2026-08-05T06:00:00Z') }
  const products = SETS.flatMap((set) =>
    Array.from(
      { length: CARDS_A_SET },
      (_, card): ListedProduct => ({
        id: set * 1_000 + card,
        name: nameOf(set, card),
        expansion_id: set + 4_000,
        is_sealed: false,
        added_on: null,
      }),
    ),
  )
  products.push({ id: 1, name: 'Coin', expansion_id: 0, is_sealed: true, added_on: null })
  const rows = products.map(({ id }) => guideRow(id, 3 + (id % 100), 5 + (id % 100)))
  writeProductLists(root, GAME, products)
  writePriceGuide(root, GAME, rows)

  return {
    ...world,
    root,
    clock,
    products,
    rows,
    /** Returns a listed product. */
    product(id: number): ListedProduct {
      const found = products.find((product) => product.id === id)
      if (found === undefined) throw new Error(`there is no product ${id}`)
      return found
    },
    /** Writes another list or guide; omitted parts stay unchanged. */
    write(files: {
      products?: readonly ListedProduct[]
      rows?: readonly GuideRow[]
      createdAt?: string
    }) {
      if (files.products !== undefined) writeProductLists(root, GAME, files.products)
      if (files.rows !== undefined) writePriceGuide(root, GAME, files.rows, files.createdAt)
    },
    import(
      request: ImportRequest = {},
      address: { cardmarketUrl: string } = url,
    ): Promise<SourceReport> {
      const { deps } = world
      const config = { ...address, publicUrl: 'http://localhost:3000' }
      const files = openConfiguredCardmarket(config, deps.log, {
        pauseMs: 0,
        backoffMs: 1,
        sleep: async () => undefined,
      })
      return importCardmarket({ ...deps, files, now: () => clock.now }, request)
    },
    /** Returns the prices of a card by printing: market and low, in cents. */
    pricesOf(card: number): Record<string, [number | null, number | null]> {
      const prices = world.catalog.sources.prices.listByCard(card)
      return Object.fromEntries(
        prices.map(({ printing, market_price, low_price }) => [
          printing,
          [market_price, low_price],
        ]),
      )
    },
    state: () => world.catalog.sources.prices.listSources()[0],
    close() {
      world.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
