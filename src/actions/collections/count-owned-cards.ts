import type { Deps } from '#deps.ts'
import type { CardsOfSet } from '#store/catalog/sources/holding-prices.ts'
import { nextTurn } from '../cooperative-loop.ts'

/** Number of collections or cards that are read at a time, because an account has up to some hundred thousand. */
const PART = 2_000

/**
 * Counts the different single cards in the collections of an account, by set.
 *
 * @param game_id only the sets of this game; undefined for all
 */
export async function countOwnedCards(
  { catalog, ledger }: Pick<Deps, 'catalog' | 'ledger'>,
  account_id: number,
  game_id: number | undefined,
): Promise<CardsOfSet[]> {
  const owned = new Set<number>()
  const { ownedCopies } = ledger
  const ids = readParts('', (after) => ownedCopies.listCollections(account_id, after, PART))
  for await (const id of ids) {
    const cards = readParts(0, (after) => ownedCopies.listCards(id, after, PART))
    for await (const card of cards) owned.add(card)
  }
  const counts = new Map<number, number>()
  const all = [...owned]
  for (let at = 0; at < all.length; at += PART) {
    await nextTurn()
    const part = catalog.sources.holdings.countBySet(all.slice(at, at + PART), game_id)
    for (const { set_id, cards } of part) counts.set(set_id, (counts.get(set_id) ?? 0) + cards)
  }
  return [...counts]
    .map(([set_id, cards]) => ({ set_id, cards }))
    .sort((a, b) => a.set_id - b.set_id)
}

/** Reads a list part by part, each after the last entry of the one before. */
async function* readParts<Entry>(first: Entry, read: (after: Entry) => Promise<Entry[]>) {
  for (let after = first, length = PART; length === PART; ) {
    await nextTurn()
    const part = await read(after)
    yield* part
    length = part.length
    after = part.at(-1) ?? after
  }
}
