import type { AddCollectionItemsRequest } from '#client/endpoints.ts'
import { toApiError } from '../api-error.ts'
import { timedUuid } from '../random-uuid.ts'
import { repeated } from './repeated.ts'

/** An item to add; it gets its id when it is sent. */
export type UnsentItem = Omit<AddCollectionItemsRequest['items'][number], 'id'>

/** Requests to a collection. */
export type ItemRequests = {
  /** @returns the id of the item */
  add(collection_id: string, item: UnsentItem & { id: string }): Promise<string>
  remove(collection_id: string, item_id: string, revision: number): Promise<unknown>
}

/** An item that may be stored: its request got no answer. */
type Unanswered = { id: string; collection_id: string; facts: string }

/**
 * Returns a function that adds an item, and returns its id. An attempt without an answer is repeated with its id, also
 * by the next call. Before another item is added instead, or one to another collection, what that attempt may have
 * stored is removed.
 */
export function createItemAdder(requests: ItemRequests, waitMs?: number) {
  let unanswered: Unanswered | undefined

  async function attempt(sent: Unanswered, item: UnsentItem): Promise<string> {
    try {
      return await requests.add(sent.collection_id, { ...item, id: sent.id })
    } catch (cause) {
      const { status } = toApiError(cause)
      // Without an answer, or after an error of the server, it may be stored.
      if (status === 0 || status >= 500) unanswered = sent
      throw cause
    }
  }

  async function send(collection_id: string, item: UnsentItem): Promise<string> {
    const facts = JSON.stringify(item)
    const sent = unanswered ?? { id: timedUuid(), collection_id, facts }
    try {
      const stored = await repeated(() => attempt(sent, item), waitMs)
      unanswered = undefined
      return stored
    } catch (cause) {
      if (toApiError(cause).code !== 'ID_TAKEN' || unanswered === undefined) throw cause
      // Somebody has seen the earlier one and changed it, so this is another one.
      unanswered = undefined
      return send(collection_id, item)
    }
  }

  return async function add(collection_id: string, item: UnsentItem): Promise<string> {
    const isOther =
      unanswered?.collection_id !== collection_id || unanswered.facts !== JSON.stringify(item)
    if (unanswered !== undefined && isOther) {
      await withdraw(requests, unanswered, waitMs)
      unanswered = undefined
    }
    return send(collection_id, item)
  }
}

/** Removes an item if it is stored as it was sent. What somebody has changed since stays. */
async function withdraw(
  requests: ItemRequests,
  { id, collection_id }: Unanswered,
  waitMs: number | undefined,
): Promise<void> {
  try {
    const item_id = `item_${id.replaceAll('-', '')}`
    await repeated(() => requests.remove(collection_id, item_id, 1), waitMs)
  } catch (cause) {
    if (!['NOT_FOUND', 'REVISION_CONFLICT'].includes(toApiError(cause).code)) throw cause
  }
}
