import { describeMissing, type PriceOrigin, pickOrigin } from '#rules/pricing/price-view.ts'
import type { ViewedPrice } from '#rules/pricing/viewed-prices.ts'
import {
  flattenCards,
  NO_PRICE_FIELDS,
  type PriceStore,
  type SimplePriceRecord,
} from '../prices.ts'
import type { ViewReader } from './view-reader.ts'

/** Shows current prices in a view: each record also has the members of its origin. */
export function openPriceViewStore(prices: PriceStore, reader: ViewReader): PriceStore {
  const missing = describeMissing(reader.view.currency)

  return {
    ...prices,
    getByCard(id) {
      const viewed = reader.getCard(id)
      return viewed && { json: JSON.stringify(viewed.prices), count: viewed.prices.length }
    },
    listByCard: (id) => reader.getCard(id)?.prices,
    listPrintings: (id) => (reader.getCard(id)?.prices ?? []).map(({ printing }) => printing),
    getBase: (id) => describeBase(reader.getCard(id)?.base, missing),
    getBaseText: (id) => JSON.stringify(describeBase(reader.getCard(id)?.base, missing)),
    getByCards: (ids) =>
      new Map([...reader.getCards(ids)].map(([id, card]) => [id, JSON.stringify(card.prices)])),
    listByCards: (ids) => new Map([...reader.getCards(ids)].map(([id, card]) => [id, card.prices])),
    listSimple(ids, form = 'text') {
      const known = prices.listSimple(ids, 'object')
      const viewed = reader.getCards(known.map(({ card_id }) => card_id))
      return known.map(({ card_id, data }) => {
        const { base, foil } = viewed.get(card_id) ?? {}
        // The store of the mirror's prices has written this text, so its shape is known.
        const simple = data as SimplePriceRecord
        const { last_updated_at, price_change_24h } = base ?? { ...simple, price_change_24h: null }
        const price = {
          card_id,
          ...describeBase(base, missing),
          low_price: base?.low_price ?? null,
          foil_market_price: foil?.market_price ?? null,
          foil_origin: foil === undefined ? null : pickOrigin(foil),
          price_change_24h,
          last_updated_at,
        }
        return { card_id, data: form === 'text' ? JSON.stringify(price) : price }
      })
    },
    listBySet,
    listBySetSince: (setId, version) =>
      // Rates change daily, so all prices in other views count as changed.
      reader.isMirrorOnly ? listChanged(setId, version) : listBySet(setId),
  }

  function listBySet(setId: number) {
    return flattenCards(reader.listSet(setId), { ...missing, ...NO_PRICE_FIELDS })
  }

  function* listChanged(setId: number, version: number) {
    const list = [...prices.listBySetSince(setId, version)]
    const known = reader.mirror?.origin ?? missing
    for (const { card_id, printing, ...price } of list) {
      yield { card_id, printing, ...(printing === null ? missing : known), ...price }
    }
  }
}

/** Describes the price that represents a card. */
export function describeBase(base: ViewedPrice | undefined, missing: PriceOrigin) {
  if (base === undefined) return { printing: null, ...missing, market_price: null }
  const { printing, market_price } = base
  return { printing, ...pickOrigin(base), market_price }
}
