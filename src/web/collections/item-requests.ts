import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { toApiError } from '../api-error.ts'
import type { ItemRequests } from './add-once.ts'
import { repeated } from './repeated.ts'

/** Requests for single items. */
export const itemRequests: ItemRequests = {
  async add(id, item) {
    const [path, body] = [{ id }, { items: [item] }]
    const { data } = await api.post('/v1/collections/{id}/items', { path, body })
    return data[0]?.id ?? ''
  },
  remove(id, item_id, revision) {
    const input = { path: { id, item_id }, query: { revision } }
    return api.delete('/v1/collections/{id}/items/{item_id}', input)
  },
}

/** Creates a collection once. If an attempt without an answer created it with another name, renames it. */
export async function createCollectionOnce(
  body: Pick<Collection, 'id' | 'name' | 'kind'>,
): Promise<Collection> {
  try {
    return (await repeated(() => api.post('/v1/collections', { body }))).data
  } catch (cause) {
    if (toApiError(cause).code !== 'ID_TAKEN') throw cause
    const input = {
      path: { id: `col_${body.id.replaceAll('-', '')}` },
      body: { name: body.name },
    }
    return (await repeated(() => api.patch('/v1/collections/{id}', input))).data
  }
}
