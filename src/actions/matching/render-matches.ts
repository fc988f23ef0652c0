import type { Deps } from '#deps.ts'
import { matchesPrinting } from '#rules/catalog/printings.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { briefPrices, type PriceJson } from '#rules/pricing/price-json.ts'
import type { NamedCard } from '#store/catalog/priced-cards.ts'
import { mapYielding } from '../cooperative-loop.ts'
import type { NameItem, NameMatch, NameMiss } from './name-index.ts'
import { resolveNames } from './resolve-names.ts'

type Catalog = Pick<Deps, 'catalog'>

/** An item, and the queries of the request that it answers, which differ in their references. */
export type NameRequest = { item: NameItem; queries: readonly object[] }

export type UnmatchedName = { query: object; name: string; reason: NameMiss['reason'] }

/**
 * Renders the cards of marketplace ids as JSON texts, in the order of the ids. Yields to other requests.
 *
 * @returns also the ids without a card
 */
export async function renderIdMatches(
  { catalog }: Catalog,
  ids: readonly number[],
): Promise<{ resolved: string[]; not_found: number[] }> {
  const { cards, prices } = await readCards(catalog, { named: ids, priced: ids }, (card) => card)
  const known = ids.flatMap((id) => cards.get(id) ?? [])
  const resolved = await mapYielding(known, (card) =>
    renderIdMatch(card, prices.get(card.id) ?? '[]'),
  )
  return { resolved, not_found: ids.filter((id) => !cards.has(id)) }
}

function renderIdMatch(card: NamedCard, prices: string): string {
  const { id, name, marketplace_id, game_name, set_name, image_url } = card
  const shown = JSON.stringify({ id, name, marketplace_id, game_name, set_name, image_url })
  return `{"marketplace_id":${marketplace_id},"card":${shown},"prices":${briefPrices(prices)}}`
}

/**
 * Renders the matches of names as JSON texts, one per query, in the order of the requests. Yields to other requests.
 *
 * @returns also the queries without a match, and the number of requests with one
 */
export async function renderNameMatches(
  deps: Catalog,
  requests: readonly NameRequest[],
  prefer?: Preference,
): Promise<{ results: string[]; unmatched: UnmatchedName[]; matched: number }> {
  const answers = await resolveNames(
    deps,
    requests.map(({ item }) => item),
    prefer,
  )
  const matches = answers.flatMap((answer) => ('reason' in answer ? [] : answer))
  const priced = matches.map(({ card_id }) => card_id)
  const named = matches.flatMap(({ card_id, alternatives }) => [card_id, ...alternatives])
  const { cards, prices } = await readCards(deps.catalog, { named, priced }, JSON.stringify)
  const cardText = (id: number) => cards.get(id)
  const matched: { query: object; item: NameItem; match: NameMatch }[] = []
  const unmatched: UnmatchedName[] = []
  for (const [at, { item, queries }] of requests.entries()) {
    const answer = answers[at]
    if (answer === undefined) continue
    for (const query of queries) {
      if ('reason' in answer) unmatched.push({ query, name: item.name, reason: answer.reason })
      else matched.push({ query, item, match: answer })
    }
  }
  const results = await mapYielding(matched, (one) =>
    renderNameMatch(one, cardText, prices.get(one.match.card_id) ?? '[]'),
  )
  return { results, unmatched, matched: matches.length }
}

/** Concatenates JSON, because cards repeat and prices are already JSON. */
function renderNameMatch(
  { query, item, match }: { query: object; item: NameItem; match: NameMatch },
  cardText: (id: number) => string | undefined,
  prices: string,
): string {
  const { card_id, confidence, certainty, corrected_name, alternatives, line } = match
  const corrected =
    corrected_name === undefined ? '' : `,"corrected_name":${JSON.stringify(corrected_name)}`
  const wanted = item.printing === undefined ? prices : filterPrinting(prices, item.printing)
  const found = `{"card":${cardText(card_id)},"prices":${wanted},"confidence":"${confidence}","certainty":"${certainty}"${corrected}}`
  const others = alternatives.map(cardText).join(',')
  return `{"query":${JSON.stringify(query)},"quantity":${line.quantity},"match":${found},"alternatives":[${others}]}`
}

function filterPrinting(prices: string, printing: string): string {
  return JSON.stringify(
    parsePrices(prices).filter((priceJson) => matchesPrinting(printing, priceJson.printing)),
  )
}

function parsePrices(text: string): PriceJson[] {
  // price-json.ts wrote this text, so its shape is known.
  return JSON.parse(text)
}

/** Reads cards in the form that the response needs, and prices as JSON texts, both by id. */
async function readCards<Card>(
  { pricedCards, prices }: Deps['catalog'],
  ids: { named: readonly number[]; priced: readonly number[] },
  render: (card: NamedCard) => Card,
): Promise<{ cards: Map<number, Card>; prices: Map<number, string> }> {
  const cards = new Map<number, Card>()
  await mapYielding(splitUnique(ids.named), (some) => {
    for (const card of pricedCards.listNamed(some)) cards.set(card.id, render(card))
  })
  const texts = new Map<number, string>()
  await mapYielding(splitUnique(ids.priced), (some) => {
    for (const [id, text] of prices.getByCards(some)) texts.set(id, text)
  })
  return { cards, prices: texts }
}

/** A chunk is read in a millisecond. */
const CHUNK_IDS = 100

/** Splits distinct ids into chunks. */
function splitUnique(ids: readonly number[]): number[][] {
  const once = [...new Set(ids)]
  return Array.from({ length: Math.ceil(once.length / CHUNK_IDS) }, (_, at) =>
    once.slice(at * CHUNK_IDS, (at + 1) * CHUNK_IDS),
  )
}
