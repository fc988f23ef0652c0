import { useQuery } from '@tanstack/react-query'
import type { CardSet, OwnedSet } from '#client/endpoints.ts'
import * as texts from '#texts/collections/owned.ts'
import { count, locale } from '../../format.ts'
import { apiQuery } from '../../query-client.ts'
import { useSession } from '../../session.ts'
import { roundShare } from './owned-share.ts'

const shares = new Intl.NumberFormat(locale, { style: 'percent' })

/** Number of different single cards that the account owns, by set. Sets without any are missing. */
export type OwnedSets = ReadonlyMap<number, number>

/** Fetches how many cards the account owns of the sets of a game. Without an account, the query waits. */
export function useOwnedSets(game: string) {
  const { me } = useSession()
  return useQuery({
    ...apiQuery('/v1/collections/owned/sets', { query: { game } }),
    enabled: Boolean(me),
    select: ({ data }: { data: OwnedSet[] }): OwnedSets =>
      new Map(data.map(({ set_id, cards }) => [set_id, cards])),
  })
}

/** The owned part of a set: "12 of 110" and "11%". Undefined for a set without single cards. */
export function ownedPart({ id, single_count }: CardSet, owned: OwnedSets) {
  if (single_count === 0) return undefined
  const cards = Math.min(owned.get(id) ?? 0, single_count)
  return {
    cards,
    number: texts.ownedOf({ owned: count(cards), all: count(single_count) }),
    share: shares.format(roundShare(cards / single_count)),
  }
}
