import { useQuery } from '@tanstack/react-query'
import type { PricedCard, Webhook } from '#client/endpoints.ts'
import { ApiError, api } from '../api.ts'
import { defineQuery } from '../query-client.ts'

/**
 * Fetches the cards of alerts, with the prices that each alert chooses. Alerts are shown without waiting for them.
 */
export function useAlertCards(
  alerts: readonly Webhook[],
): (alert: Webhook) => PricedCard | undefined {
  const choices = Map.groupBy(alerts, choiceKey)
  const ids = [...new Set(alerts.map(keyOf))].sort()
  const cards = useQuery({
    ...defineQuery(['/v1/bulk/cards', ids], async (signal) => {
      const found = await Promise.all(
        [...choices.values()].map((chosen) => fetchChosen(chosen, signal)),
      )
      return new Map(found.flat())
    }),
    enabled: ids.length > 0,
  })
  return (alert) => cards.data?.get(keyOf(alert))
}

/** Fetches the cards of alerts that choose the same source and currency; none if these are no longer available. */
async function fetchChosen(
  alerts: readonly Webhook[],
  signal: AbortSignal,
): Promise<[string, PricedCard][]> {
  const [{ currency, source } = NO_CHOICE] = alerts
  const ids = [...new Set(alerts.map(({ card_id }) => card_id))].sort((one, other) => one - other)
  const choice = { ...(currency !== undefined && { currency }), ...(source != null && { source }) }
  try {
    const { data } = await api.get('/v1/bulk/cards', { query: { ids, ...choice }, signal })
    return data.map((card) => [keyOf({ card_id: card.id, currency, source }), card])
  } catch (error) {
    if (currency !== undefined && error instanceof ApiError && error.status === 400) return []
    throw error
  }
}

type WatchedPrice = {
  card_id: number
  currency?: string | undefined
  source?: string | null | undefined
}

const NO_CHOICE: Pick<Webhook, 'currency' | 'source'> = {}

function keyOf(watched: WatchedPrice): string {
  return `${watched.card_id} ${choiceKey(watched)}`
}

function choiceKey({ currency = '', source }: WatchedPrice): string {
  return `${currency} ${source ?? ''}`
}

type ComparedPrice = Pick<PricedCard['prices'][number], 'printing' | 'market_price'>

/** Returns the price that an alert compares, the highest one if it names no printing; null if unknown. */
export function alertPrice(prices: readonly ComparedPrice[], printing: string | null) {
  const marketPrices = prices
    .filter((price) => !printing || price.printing === printing)
    .flatMap(({ market_price }) => (market_price === null ? [] : [market_price]))
  return marketPrices.length === 0 ? null : Math.max(...marketPrices)
}
