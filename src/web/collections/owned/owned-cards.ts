import { useQuery } from '@tanstack/react-query'
import type { OwnedCopies } from '#client/endpoints.ts'
import { apiQuery } from '../../query-client.ts'
import { useSession } from '../../session.ts'

/** Copies in the collections of the account, by card. Cards that it does not own are missing. */
export type OwnedCards = ReadonlyMap<number, readonly OwnedCopies[]>

/** Maximum number of cards in a request. */
const IDS_MAX = 100

/** Fetches what the account owns of some cards, or of a set. Without an account, the query waits. */
export function useOwnedCards(of: { ids: readonly number[] } | { set_id: number }) {
  const { me } = useSession()
  const isEmpty = 'ids' in of && of.ids.length === 0
  const query = 'ids' in of ? { ids: of.ids.slice(0, IDS_MAX).join() } : of
  return useQuery({
    ...apiQuery('/v1/collections/owned', { query }),
    enabled: Boolean(me) && !isEmpty,
    select: groupByCard,
  })
}

/** Query of what the account owns. */
export type OwnedQuery = ReturnType<typeof useOwnedCards>

function groupByCard({ data }: { data: OwnedCopies[] }): OwnedCards {
  return Map.groupBy(data, ({ card_id }) => card_id)
}

/** Returns the number of copies. */
export function countCopies(copies: readonly OwnedCopies[] | undefined): number {
  return copies?.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0
}

/** Counts the different single cards. */
export function countSingles(owned: OwnedCards): number {
  return [...owned.values()].filter((copies) => copies.some(({ is_single }) => is_single)).length
}

/** Describes copies by printing: "2 Normal, 1 Foil". */
export function printingsText(copies: readonly OwnedCopies[]): string {
  const byPrinting = Map.groupBy(copies, ({ printing }) => printing)
  return [...byPrinting]
    .map(([printing, some]) => [countCopies(some), printing].filter(Boolean).join(' '))
    .join(', ')
}
