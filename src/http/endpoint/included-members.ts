import { assessPrices, type ShownPrice } from '#actions/pricing/assess-prices.ts'
import type { Deps } from '#deps.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type JsonBody, readJson } from './envelope.ts'
import type { Answer } from './responses.ts'

/** Members that an endpoint adds to its response if `include` names them. */
const INCLUDES = ['confidence', 'ids'] as const

export type Include = (typeof INCLUDES)[number]

/**
 * Parses the parameter `include`: a comma-separated list.
 *
 * @throws ServiceError VALIDATION_ERROR that lists what the endpoint can include
 */
export function parseIncludes(text: string | undefined, allowed: readonly Include[]): Include[] {
  const wanted = (text ?? '').split(',').map((name) => name.trim())
  const unknown = wanted.some((name) => name !== '' && !allowed.some((one) => one === name))
  if (unknown) {
    throw new ServiceError('VALIDATION_ERROR', `"include" must be ${allowed.join(' or ')}.`)
  }
  return allowed.filter((name) => wanted.includes(name))
}

/** Adds members to an answer. Files, which add their own, and answers without requested members stay unchanged. */
export type MemberIncluder = (answer: Answer, includes: readonly Include[]) => Answer

/**
 * Creates the includer. It works on finished answers, so that all endpoints that return prices or cards have the same
 * members, and answers without `include` cost nothing.
 */
export function createMemberIncluder(deps: Pick<Deps, 'catalog' | 'now'>): MemberIncluder {
  return (answer, includes) => {
    if ('source' in answer || includes.length === 0) return answer
    // Matches are text, in which each card is rendered only once, a fifth faster than objects.
    const { data, meta } = answer
    const copy = {
      ...answer,
      data: copyEntries(readJson(data)),
      meta: copyEntries(readJson(meta)),
    }
    if (includes.includes('ids')) addIds(deps, copy)
    if (includes.includes('confidence')) addConfidence(deps, copy)
    return copy
  }
}

/** Copies the entries, which may also be in a cache. The lists in them are parsed for this answer alone. */
function copyEntries(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(copyEntries)
  return typeof data === 'object' && data !== null ? { ...data } : data
}

/** Adds the ids of each card in other systems. */
function addIds({ catalog }: Pick<Deps, 'catalog'>, { data }: JsonBody): void {
  const cards = toObjects(data).filter(isCard)
  const ids = catalog.ids.cards.listByCards(cards.map(({ id }) => id))
  for (const card of cards) Object.assign(card, { ids: ids.get(card.id) })
}

/** Adds the confidence in each price. Both the confidence and the entity tag depend on the day. */
function addConfidence(deps: Pick<Deps, 'catalog' | 'now'>, answer: JsonBody): void {
  const entries = toObjects(answer.data)
  // The answer for a single card has its price in `meta`.
  const base = toObjects(answer.meta).flatMap((meta) => findPrices(meta, entries[0]?.id))
  const prices = [...entries.flatMap((entry) => findPrices(entry)), ...base]
  const confidences = assessPrices(
    deps,
    prices.map(({ shown }) => shown),
  )
  for (const [index, { entry }] of prices.entries()) {
    const { level, reasons } = confidences[index] ?? {}
    // A match has its own confidence: how certain the card is.
    Object.assign(
      entry,
      'confidence' in entry
        ? { price_confidence: level, price_confidence_reasons: reasons }
        : { confidence: level, confidence_reasons: reasons },
    )
  }
  const day = dayOf(deps.now())
  answer.variant = answer.variant === undefined ? `${day}` : `${answer.variant}-${day}`
}

type Members = Record<string, unknown>

function toObjects(value: unknown): Members[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.filter((one): one is Members => typeof one === 'object' && one !== null)
}

function isCard(entry: Members): entry is Members & { id: number } {
  return typeof entry.id === 'number' && 'clean_name' in entry
}

/** A price in an answer, and the printing that it belongs to. */
type FoundPrice = { entry: Members; shown: ShownPrice }

/**
 * Finds the prices in a value at any depth: in a list of prices, a card, movers or a match.
 *
 * @param cardId id of the enclosing card, if any
 */
function findPrices(value: unknown, cardId?: unknown): FoundPrice[] {
  return toObjects(value).flatMap((entry) => {
    const { id } = toObjects(entry.card)[0] ?? {}
    const card_id = entry.card_id ?? id ?? cardId
    const shown = { ...entry, card_id }
    const own = isShownPrice(shown) ? [{ entry, shown }] : []
    const inner = Object.values(entry).flatMap((one) => findPrices(one, card_id))
    return [...own, ...inner]
  })
}

function isShownPrice(entry: Members): entry is Members & ShownPrice {
  return typeof entry.card_id === 'number' && 'market_price' in entry
}
