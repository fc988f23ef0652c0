import * as texts from '#texts/collections/add.ts'
import { api } from '../api.ts'
import { DOLLARS } from '../format.ts'
import { queryClient, refetchAfterChange } from '../query-client.ts'
import { randomUuid } from '../random-uuid.ts'
import { readStored, writeStored } from '../stored-text.ts'
import { collectionsQuery } from './queries.ts'
import { repeated } from './repeated.ts'
import type { TargetCollection } from './target-select.tsx'

/** Local storage key of the collection to which cards were added last. */
const KEY = 'cardstock.collection'

/** Records the collection to which a card was added. */
export function rememberTarget({ id, kind }: TargetCollection): void {
  if (kind !== 'owned') return
  writeStored(KEY, id)
}

/** Returns the collection to which cards were added last, otherwise the oldest one. Creates the first one. */
export async function findTarget(): Promise<TargetCollection> {
  const { data } = await queryClient.fetchQuery(collectionsQuery(DOLLARS))
  const owned = data.filter(({ kind }) => kind === 'owned')
  const last = readStored(KEY)
  const found = owned.find(({ id }) => id === last) ?? owned[0]
  if (found !== undefined) return found
  const body = { name: texts.collection, kind: 'owned' as const, id: randomUuid() }
  const { data: created } = await repeated(() => api.post('/v1/collections', { body }))
  refetchAfterChange('/v1/collections')
  return created
}
