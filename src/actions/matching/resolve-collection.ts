import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import { choosePrinting } from '#rules/matching/choose-printing.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import { parseQuantity } from '#rules/matching/parse-quantity.ts'
import type { NamedCard, PricedCard, PricedPrinting } from '#store/catalog/priced-cards.ts'
import { findGame } from '../catalog/find-game.ts'
import { type NameItem, type NameMatch, type NameMiss, resolveNames } from './resolve-names.ts'

/** What of a row was left aside so that it could be resolved. */
export type CollectionNote =
  | 'product_id_not_found'
  | 'game_not_found'
  | 'set_not_found'
  | 'not_in_set'
  | 'printing_not_found'

/** Why a row could not be resolved. */
export type CollectionReason = NameMiss['reason'] | 'no_name' | 'invalid_quantity'

/** A row and what it is. */
export type ResolvedRow = MatchedRow | UnmatchedRow

export type MatchedRow = { input: CollectionRow; quantity: number; found: FoundCard }

export type UnmatchedRow = { input: CollectionRow; reason: CollectionReason }

/** Money is in cents. */
export type FoundCard = Pick<NameMatch, 'confidence' | 'corrected_name'> & {
  card: NamedCard
  printing: PricedPrinting | undefined
  /** Of all copies; null where the price is not known. */
  value: number | null
  alternatives: NamedCard[]
  notes: CollectionNote[]
}

type Rows = Iterable<CollectionRow> | AsyncIterable<CollectionRow>

/**
 * What each row of a collection is and what it is worth, in their order. Forgiving where a row names
 * something that nobody knows, and says so in its notes. Lets go of the event loop every 50 rows.
 *
 * @param game the slug of the game of the rows that name none
 * @throws ServiceError INVALID_GAME
 */
export async function* resolveCollection(
  deps: Pick<Deps, 'catalog'>,
  rows: Rows,
  { game }: { game?: string | undefined } = {},
): AsyncGenerator<ResolvedRow> {
  const searchFor = createSearchFactory(deps, findGame(deps, game)?.slug)
  for await (const handful of handfulsOf(rows)) {
    yield* await resolveAll(deps, handful.map(searchFor))
    await nextTurn()
  }
}

/** As many as are asked for together. */
const HANDFUL = 50

async function* handfulsOf(rows: Rows): AsyncGenerator<CollectionRow[]> {
  let handful: CollectionRow[] = []
  for await (const row of rows) {
    handful.push(row)
    if (handful.length < HANDFUL) continue
    yield handful
    handful = []
  }
  yield handful
}

/** A row on its way: what it is looked for by, and what became of that. */
type Search = {
  asked: CollectionRow
  quantity: number | undefined
  queries: NameItem[]
  match?: NameMatch
  misses: NameMiss['reason'][]
  notes: CollectionNote[]
}

/** How each row is looked for. Games are named in many ways: "Magic: The Gathering" is `magic`. */
function createSearchFactory({ catalog }: Pick<Deps, 'catalog'>, ofOthers: string | undefined) {
  const games = catalog.games.listAll()
  const byLength = games.toSorted((a, b) => b.slug.length - a.slug.length)
  const known = new Map<string, string | undefined>()
  const find = (key: string) =>
    games.find(({ slug, name }) => [slug, name].map(normalizeName).includes(key)) ??
    byLength.find(({ slug }) => key.startsWith(normalizeName(slug)))

  return (asked: CollectionRow): Search => {
    const key = normalizeName(asked.game ?? '')
    if (!known.has(key)) known.set(key, key === '' ? ofOthers : find(key)?.slug)
    const game = known.get(key)
    return {
      asked,
      quantity: parseQuantity(asked.quantity),
      queries: listQueries(asked, game ?? ofOthers),
      misses: [],
      notes: key !== '' && game === undefined ? ['game_not_found'] : [],
    }
  }
}

/**
 * What a row is looked for by, the nearest to its words first: with the set's code, with the set's
 * name, without a set. Of a card with two faces, some apps write both names and some catalogs one.
 */
function listQueries(asked: CollectionRow, game: string | undefined): NameItem[] {
  const { name, set_code, set_name, number } = asked
  if (name === null) return []
  const names = new Set([name, name.split(' // ', 1)[0] ?? name])
  const sets = new Set([set_code, set_name].filter((set) => set !== null))
  return [...sets, undefined].flatMap((set) =>
    [...names].map((face) => ({ name: face, game, set, number: number ?? undefined })),
  )
}

async function resolveAll(deps: Pick<Deps, 'catalog'>, searches: Search[]): Promise<ResolvedRow[]> {
  const counted = searches.filter(({ quantity }) => quantity !== undefined)
  findByProductId(deps, counted)
  await findByName(deps, counted)
  const matches = counted.flatMap(({ match }) => match ?? [])
  const ids = matches.flatMap(({ card_id, alternatives }) => [card_id, ...alternatives])
  const cards = deps.catalog.pricedCards.getByIds(ids)
  return searches.map((search) => answerOf(search, cards))
}

/** The product id of a marketplace is the id of the card; another shop's is that of another one. */
function findByProductId({ catalog }: Pick<Deps, 'catalog'>, searches: readonly Search[]): void {
  const named = searches.filter(({ asked }) => asked.product_id !== null)
  const found = catalog.pricedCards.listNamed(named.map(({ asked }) => productIdOf(asked)))
  const cards = new Map(found.map((card) => [card.id, card]))
  for (const search of named) {
    const card = cards.get(productIdOf(search.asked))
    if (card !== undefined && isCalled(card, search.asked.name)) {
      search.match = { card_id: card.id, confidence: 'exact', alternatives: [] }
    } else search.notes.push('product_id_not_found')
  }
}

/** No card has the id 0. */
function productIdOf({ product_id }: CollectionRow): number {
  return /^\d{1,15}$/.test(product_id ?? '') ? Number(product_id) : 0
}

/** Apps leave away what the marketplace adds to a name: "Cindle" is also "Cindle (Full Art)". */
function isCalled(card: NamedCard, name: string | null): boolean {
  const [own, given] = [normalizeName(card.name), normalizeName(name ?? '')]
  return own.startsWith(given) || given.startsWith(own)
}

/** Asks for the first wish of all that have no card yet, then for the second of those that are left. */
async function findByName(deps: Pick<Deps, 'catalog'>, searches: readonly Search[]): Promise<void> {
  for (let turn = 0; ; turn++) {
    const asked = searches.flatMap((search) => {
      const wish = search.match === undefined ? search.queries[turn] : undefined
      return wish === undefined ? [] : [{ search, wish }]
    })
    if (asked.length === 0) return
    const answers = await resolveNames(
      deps,
      asked.map(({ wish }) => wish),
    )
    for (const [place, { search, wish }] of asked.entries()) {
      const answer = answers[place]
      if (answer === undefined) continue
      if ('reason' in answer) search.misses.push(answer.reason)
      else {
        search.match = answer
        if (wish.set === undefined) search.notes.push(...noteOnSet(search))
      }
    }
  }
}

/** What is to be said of a card that was found only without its set. */
function noteOnSet({ asked, misses }: Search): CollectionNote[] {
  if (asked.set_code === null && asked.set_name === null) return []
  return [misses.every((reason) => reason === 'set_not_found') ? 'set_not_found' : 'not_in_set']
}

function answerOf(search: Search, cards: ReadonlyMap<number, PricedCard>): ResolvedRow {
  const { asked, quantity, match, misses, notes } = search
  if (quantity === undefined) return { input: asked, reason: 'invalid_quantity' }
  const [priced, ...others] = match === undefined ? [] : cardsMeant(match, asked, cards)
  if (match === undefined || priced === undefined) {
    const unnamed = asked.name === null && asked.product_id === null
    return { input: asked, reason: unnamed ? 'no_name' : (misses.at(-1) ?? 'no_match') }
  }
  const { printing, isFound } = choosePrinting(asked.printing, priced.printings)
  if (!isFound) notes.push('printing_not_found')
  const { card_id: _, alternatives: __, ...kind } = match
  const price = printing?.market_price ?? null
  return {
    input: asked,
    quantity,
    found: {
      ...kind,
      card: priced.card,
      printing,
      value: price === null ? null : quantity * price,
      alternatives: others.map(({ card }) => card),
      notes,
    },
  }
}

/**
 * The match and what else it may be. Of cards that are all called as it is written, the one that has
 * the row's printing comes first: a foil is of the card that exists as foil.
 */
function cardsMeant(
  { card_id, alternatives, confidence }: NameMatch,
  { printing }: CollectionRow,
  cards: ReadonlyMap<number, PricedCard>,
): PricedCard[] {
  const all = [card_id, ...alternatives].flatMap((id) => cards.get(id) ?? [])
  const [first] = all
  if (first === undefined || confidence !== 'exact') return all
  const name = normalizeName(first.card.name)
  const meant = all.find(
    ({ card, printings }) =>
      normalizeName(card.name) === name && choosePrinting(printing, printings).isFound,
  )
  return meant === undefined ? all : [meant, ...all.filter((one) => one !== meant)]
}
