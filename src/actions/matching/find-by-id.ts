import type { Deps } from '#deps.ts'
import { normalizeName } from '#rules/catalog/trigrams.ts'
import type { CollectionRow } from '#rules/matching/collection-columns.ts'
import type { NamedCard } from '#store/catalog/priced-cards.ts'
import type { CardMatch } from './name-index.ts'
import { createSetLookup } from './named-sets.ts'
import { createNumberFinder } from './set-number.ts'

type CatalogDeps = Pick<Deps, 'catalog'>

/** A row that is being resolved. */
type IdSearch = {
  input: CollectionRow
  /** Slug. */
  game: string | undefined
  match?: CardMatch
  notes: Pick<'product_id_not_found'[], 'push'>
}

/** Finds the cards of rows that have an id, or a set and a number but no name. */
export function findById(deps: CatalogDeps, searches: readonly IdSearch[]): void {
  findByProductId(deps, searches)
  findByCardmarketId(deps, searches)
  findByPasscode(deps, searches)
  findBySetNumber(deps, searches)
}

/** Finds a card by product id. The marketplace's product id is the card's id; other shops have other ids. */
function findByProductId({ catalog }: CatalogDeps, searches: readonly IdSearch[]): void {
  const named = searches.filter(({ input }) => input.product_id !== null)
  const found = catalog.pricedCards.listNamed(named.map(({ input }) => parseProductId(input)))
  const cards = new Map(found.map((card) => [card.id, card]))
  for (const search of named) {
    const card = cards.get(parseProductId(search.input))
    if (card !== undefined && matchesName(card, search.input.name)) {
      search.match = {
        card_id: card.id,
        confidence: 'exact',
        certainty: 'certain',
        alternatives: [],
      }
    } else search.notes.push('product_id_not_found')
  }
}

/** Finds cards by the ids of Cardmarket's products. */
function findByCardmarketId({ catalog }: CatalogDeps, searches: readonly IdSearch[]): void {
  for (const search of searches) {
    const { cardmarket_id: id } = search.input
    const found = id === null ? undefined : catalog.ids.cards.findCard('cardmarket', id)
    if (found !== undefined) {
      search.match = { card_id: found, confidence: 'exact', certainty: 'certain', alternatives: [] }
    } else if (id !== null) search.notes.push('product_id_not_found')
  }
}

/** Finds cards by the passcodes of a YDK file, if the operator has imported them as ids of `konami`. */
function findByPasscode({ catalog }: CatalogDeps, searches: readonly IdSearch[]): void {
  for (const search of searches) {
    const [passcode] = /^\d{4,9}$/.exec(search.input.name ?? '') ?? []
    if (passcode === undefined || search.match !== undefined) continue
    // Some programs write leading zeros, and others do not.
    const ids = [passcode, passcode.replace(/^0+/, ''), passcode.padStart(8, '0')]
    const found = ids.map((id) => catalog.ids.cards.findCard('konami', id)).find((id) => id)
    if (found === undefined) continue
    search.match = { card_id: found, confidence: 'exact', certainty: 'certain', alternatives: [] }
  }
}

/** Finds the cards of rows that have a set and a number, but no name. */
function findBySetNumber({ catalog }: CatalogDeps, searches: readonly IdSearch[]): void {
  const find = createNumberFinder(catalog.candidates)
  const findSets = createSetLookup(catalog)
  for (const search of searches) {
    const { name, set_code, set_name, number } = search.input
    if (name !== null || number === null || search.match !== undefined) continue
    const { tiers = [], agreed } = findSets({ set_code, set_name, game: search.game })
    const sure = find(
      tiers.filter((ids) => ids.every((id) => agreed.includes(id))),
      number,
    )
    const found = sure ?? find(tiers, number)
    if (found !== undefined) search.match = { ...found, ...(!sure && { certainty: 'guessed' }) }
  }
}

/** Returns 0, which no card has, if the id is invalid. */
function parseProductId({ product_id }: CollectionRow): number {
  return /^\d{1,15}$/.test(product_id ?? '') ? Number(product_id) : 0
}

/** Apps omit additions of the marketplace: "Cindle" is also "Cindle (Full Art)". */
function matchesName(card: NamedCard, name: string | null): boolean {
  const [own, given] = [normalizeName(card.name), normalizeName(name ?? '')]
  return own.startsWith(given) || given.startsWith(own)
}
