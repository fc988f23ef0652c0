import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import type { CollectionFormat } from '#rules/collections/collection-formats.ts'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { collectedItemId } from '#rules/photos/session-item.ts'
import type { NewCollectionItem } from '#store/ledger/collections/list-items.ts'
import type { ReviewedItem } from '#store/ledger/collections/scan-items.ts'
import { type ExportedFile, exportItems } from '../collections/export-collection.ts'
import { type CollectionOwner, getCollection } from '../collections/manage-collections.ts'
import { collectionFull } from '../collections/manage-items.ts'
import { listNotFound } from '../collections/manage-lists.ts'
import { getScanSession } from './scan-sessions.ts'

/**
 * Exports the reviewed items of a scan session.
 *
 * @throws ServiceError FORMAT_UNAVAILABLE if the app has none of the games
 */
export function exportSession(
  deps: Pick<Deps, 'catalog' | 'ledger' | 'now'>,
  scan_session_id: string,
  format: CollectionFormat,
): Promise<ExportedFile> {
  return exportItems(deps, () => readCollectable(deps, scan_session_id), format)
}

/**
 * Adds the reviewed items of a scan session to a collection that does not have them yet. Yields to other requests.
 * Items added before a failure stay, and a repetition adds the rest.
 *
 * @throws ServiceError NOT_FOUND, or COLLECTION_FULL
 */
export async function collectSession(
  deps: Pick<Deps, 'ledger' | 'now'>,
  owner: CollectionOwner,
  { id, collection_id }: { id: string; collection_id: string },
): Promise<{ added: number; skipped: number }> {
  const { ledger, now } = deps
  const { account_id } = owner
  await getScanSession(deps, { id, account_id })
  await getCollection(deps, { id: collection_id, account_id })
  const { items: max } = tierLimits(owner)
  const counts = { added: 0, skipped: 0 }
  for await (const items of readCollectable(deps, id)) {
    const added = await ledger.listItems.addMissing(collection_id, items, max, now())
    if (added === 'missing') throw listNotFound('owned')
    if (added === 'full') throw collectionFull(max)
    counts.added += added
    counts.skipped += items.length - added
  }
  return counts
}

/** Reads the reviewed items of a scan session in pages, as items of a collection. */
async function* readCollectable(
  { ledger }: Pick<Deps, 'ledger'>,
  scan_session_id: string,
): AsyncGenerator<NewCollectionItem[]> {
  for (let after = -1; ; ) {
    const page = await ledger.scanItems.listReviewed(scan_session_id, after, PAGE_ITEMS)
    const last = page.at(-1)
    if (last === undefined) return
    yield page.map((item) => toCollected(scan_session_id, item))
    after = last.ordinal
  }
}

/** Writing a page takes some milliseconds. */
const PAGE_ITEMS = 200

function toCollected(
  scan_session_id: string,
  { ordinal, created_at, ...item }: ReviewedItem,
): NewCollectionItem {
  return {
    ...UNKNOWN_HOLDING,
    ...item,
    id: collectedItemId(scan_session_id, { ordinal, created_at }),
  }
}
