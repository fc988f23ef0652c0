import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { UpstreamCard, UpstreamPrice } from '#rules/catalog/catalog-records.ts'
import {
  parseCardsFile,
  parseGamesFile,
  parsePricesFile,
  parsePublishTime,
  parseSetsFile,
} from '#rules/sync/upstream.ts'
import { unpackRecordedUpstream } from '../../support/sync/real-upstream.ts'

const root = unpackRecordedUpstream(import.meta.path, ['catalog'])
afterAll(() => {
  if (root !== undefined) rmSync(root, { recursive: true })
})

describe.skipIf(root === undefined)('a real mirror', () => {
  const text = (path: string) => readFileSync(join(root ?? '', 'catalog', path), 'utf8')
  const games = () => parseGamesFile(text('tcgplayer/categories'))
  const sets = () =>
    games().records.map((game) => parseSetsFile(text(`tcgplayer/${game.id}/groups`), game.id))

  test('has a publish time', () => {
    expect(parsePublishTime(text('last-updated.txt')).toISOString()).toBe(
      '2026-08-05T20:05:50.000Z',
    )
  })

  test('is parsed completely, with every number, rarity but None, and printing unchanged', () => {
    const counts = {
      games: games().records.length,
      sets: 0,
      cards: 0,
      prices: 0,
      bad: games().rejected.length,
    }
    const wrong: string[] = []
    for (const { records, rejected } of sets()) {
      counts.sets += records.length
      counts.bad += rejected.length
      for (const set of records) {
        const products = text(`tcgplayer/${set.game_id}/${set.id}/products`)
        const cards = parseCardsFile(products, set.game_id, set.id)
        wrong.push(...differentCards(JSON.parse(products).results, cards.records))

        const rows = text(`tcgplayer/${set.game_id}/${set.id}/prices`)
        const prices = parsePricesFile(rows)
        wrong.push(...differentPrices(JSON.parse(rows).results, prices.records))

        counts.cards += cards.records.length
        counts.prices += prices.records.length
        counts.bad += cards.rejected.length + prices.rejected.length
      }
    }
    expect(wrong).toEqual([])
    expect(counts).toEqual({ games: 6, sets: 1_161, cards: 123_411, prices: 163_159, bad: 0 })
  })
})

type RawProduct = { name: string | undefined; extendedData: { name: string; value: string }[] }
type RawPrice = { subTypeName: string; marketPrice: number | null; lowPrice: number | null }

function differentCards(raw: RawProduct[], cards: UpstreamCard[]): string[] {
  return cards.flatMap((card, index) => {
    const { name, extendedData } = raw[index] ?? { name: undefined, extendedData: [] }
    const value = (key: string) => extendedData.find((pair) => pair.name === key)?.value ?? null
    const others = extendedData.filter((pair) => !['Number', 'Rarity'].includes(pair.name))
    const isSame =
      // Names contain no other entities.
      card.name === name?.replaceAll('&amp;', '&') &&
      card.number === value('Number') &&
      (card.rarity ?? 'None') === (value('Rarity') ?? 'None') &&
      Object.keys(card.custom_attributes).length === others.length
    return isSame ? [] : [`card ${card.id}`]
  })
}

function differentPrices(raw: RawPrice[], prices: UpstreamPrice[]): string[] {
  return prices.flatMap((price, index) => {
    const row = raw[index]
    const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
    const isSame =
      price.printing === row?.subTypeName &&
      dollars(price.market_price) === row.marketPrice &&
      dollars(price.low_price) === row.lowPrice
    return isSame ? [] : [`price of ${price.card_id}`]
  })
}
