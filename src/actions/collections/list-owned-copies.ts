import type { Deps } from '#deps.ts'
import { OWNED_IDS_MAX, type OwnedCopies } from '#store/ledger/collections/owned-copies.ts'
import { nextTurn } from '../cooperative-loop.ts'

/** Maximum number of entries; only copies with thousands of different grades are more. */
export const OWNED_COPIES_MAX = 10_000

/**
 * Lists the copies of cards in all collections of an account, by card. A part of the cards is read at a time, because a
 * set has up to some thousand.
 */
export async function listOwnedCopies(
  { catalog, ledger }: Pick<Deps, 'catalog' | 'ledger'>,
  account_id: number,
  cards: readonly number[],
): Promise<(OwnedCopies & { is_single: boolean })[]> {
  const copies: OwnedCopies[] = []
  for (let at = 0; at < cards.length && copies.length < OWNED_COPIES_MAX; at += OWNED_IDS_MAX) {
    await nextTurn()
    const part = cards.slice(at, at + OWNED_IDS_MAX)
    const limit = OWNED_COPIES_MAX - copies.length
    copies.push(...(await ledger.ownedCopies.list(account_id, part, limit)))
  }
  const singles = catalog.sources.holdings.listSingles(copies.map(({ card_id }) => card_id))
  return copies
    .map((one) => ({ one, order: orderOf(one) }))
    .sort((a, b) => a.one.card_id - b.one.card_id || (a.order < b.order ? -1 : 1))
    .map(({ one }) => ({ ...one, is_single: singles.has(one.card_id) }))
}

/** Databases sort texts and unknown ones differently. */
function orderOf({ collection_id, printing, condition, grade, language }: OwnedCopies): string {
  return JSON.stringify([collection_id, printing ?? '', condition, grade ?? '', language ?? ''])
}
