import { api } from '../api.ts'
import { DOLLARS } from '../format.ts'
import { queryClient, refetchAfterChange } from '../query-client.ts'
import { collectionsQuery } from './queries.ts'
import type { TargetCollection } from './target-select.tsx'

/** Local storage key of the collection to which cards were added last. */
const KEY = 'cardstock.collection'

/** Records the collection to which a card was added. */
export function rememberTarget({ id, kind }: TargetCollection): void {
  if (kind !== 'owned') return
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // Without storage, cards are added to the oldest collection.
  }
}

/** Returns the collection to which cards were added last, otherwise the oldest one. Creates the first one. */
export async function findTarget(): Promise<TargetCollection> {
  const { data } = await queryClient.fetchQuery(collectionsQuery(DOLLARS))
  const owned = data.filter(({ kind }) => kind === 'owned')
  const found = owned.find(({ id }) => id === readTarget()) ?? owned[0]
  if (found !== undefined) return found
  const body = { name: 'Collection', kind: 'owned' as const }
  const { data: created } = await api.post('/v1/collections', { body })
  refetchAfterChange('/v1/collections')
  return created
}

function readTarget(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
