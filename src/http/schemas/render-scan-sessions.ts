import type { IdentifiedPage } from '#actions/photos/identify-page.ts'
import type { IdentifiedPhoto } from '#actions/photos/identify-photo.ts'
import type { ValuedSession } from '#actions/photos/scan-sessions.ts'
import type { Deps } from '#deps.ts'
import { type CollectionMoney, IN_DOLLARS, toAmount } from '#rules/collections/collection-money.ts'
import type { Outline } from '#rules/photos/page-cut.ts'
import { pick } from '#rules/primitives/pick.ts'
import type { ListRecord } from '#store/ledger/collections/lists.ts'
import type { ScanItem } from '#store/ledger/collections/scan-items.ts'
import type { ScanPhoto } from '#store/ledger/collections/scan-photos.ts'
import { timeText } from './members.ts'
import { describeItems, renderCurrency, renderNotes, renderValue } from './render-collections.ts'

/** Renders a scan session without its value. */
export function renderScanSession(session: Omit<ListRecord, 'value' | 'unpriced' | 'notes'>) {
  const { id, name, items, copies, open, photos, scans } = session
  return {
    id,
    name,
    item_count: items,
    copies,
    open,
    photo_count: photos,
    scans_charged: scans,
    created_at: timeText(session.created_at),
    updated_at: timeText(session.updated_at),
  }
}

/** Renders a scan session with the value of its reviewed items. */
export function renderValuedSession(session: ValuedSession, money = IN_DOLLARS) {
  const { value, unpriced, notes } = session
  return {
    ...renderScanSession(session),
    value: toAmount(money, value),
    unpriced,
    notes: renderNotes(notes, money),
    ...renderCurrency(money),
  }
}

/** Renders a photo of a scan session. */
export function renderSessionPhoto(photo: ScanPhoto) {
  const { photo: key, width, height, scans, created_at } = photo
  return { key, width, height, scans_charged: scans, created_at: timeText(created_at) }
}

/** Parses the cards of a photo that were detected but not read. */
export function parseUnread({ unread }: ScanPhoto): IdentifiedPage['unread'] {
  // addSessionPhoto has written this text, so its shape is known.
  return JSON.parse(unread) as IdentifiedPage['unread']
}

/** Renders items of a scan session with their current prices. */
export function renderSessionItems(
  deps: Pick<Deps, 'catalog' | 'now'>,
  items: readonly ScanItem[],
  money: CollectionMoney = IN_DOLLARS,
) {
  return describeItems(deps, items).map(({ priced, card }) => {
    const { item } = priced
    const { id, photo, page_row, page_column, outline, identification_id, copied_from } = item
    return {
      id,
      photo,
      row: page_row,
      column: page_column,
      // describeSessionCard has written this text, so its shape is known.
      outline: outline === null ? null : (JSON.parse(outline) as Outline),
      identification_id,
      copied_from,
      ...renderReading(item),
      ...card,
      is_reviewed: item.is_reviewed === 1,
      ...renderValue(priced, money),
      revision: item.revision,
      created_at: timeText(item.created_at),
      updated_at: timeText(item.updated_at),
    }
  })
}

/** Renders one item of a scan session. */
export function renderSessionItem(deps: Pick<Deps, 'catalog' | 'now'>, item: ScanItem) {
  const [rendered] = renderSessionItems(deps, [item])
  if (rendered === undefined) throw new Error('an item was not rendered')
  return rendered
}

function renderReading({ data }: ScanItem) {
  // describeSessionCard has written this text, so its shape is known.
  const identified = JSON.parse(data) as IdentifiedPhoto
  return pick(identified, ['status', 'message', 'read', 'candidates', 'warnings'])
}
