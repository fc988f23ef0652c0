import { type PricedItem, priceItems } from '#actions/collections/value-items.ts'
import type { IdentifiedPage } from '#actions/photos/identify-page.ts'
import type { IdentifiedPhoto } from '#actions/photos/identify-photo.ts'
import type { ValuedSession } from '#actions/photos/scan-sessions.ts'
import type { Deps } from '#deps.ts'
import { type CollectionMoney, IN_DOLLARS, toAmount } from '#rules/collections/collection-money.ts'
import type { Outline } from '#rules/photos/page-cut.ts'
import type { ScanSession, ScanSessionPhoto } from '#store/ledger/scan-sessions/scan-sessions.ts'
import type { SessionItem } from '#store/ledger/scan-sessions/session-items.ts'
import { renderCurrency, renderValue, timeText } from './render-collections.ts'

/** Renders a scan session without its value. */
export function renderScanSession(session: ScanSession) {
  const { id, name, items, copies, open, photos, scans } = session
  return {
    ...{ id, name, item_count: items, copies, open, photo_count: photos, scans_charged: scans },
    created_at: timeText(session.created_at),
    updated_at: timeText(session.updated_at),
  }
}

/** Renders a scan session with the value of its reviewed items. */
export function renderValuedSession(session: ValuedSession, money = IN_DOLLARS) {
  const { value, unpriced } = session
  return {
    ...renderScanSession(session),
    ...{ value: toAmount(money, value), unpriced, ...renderCurrency(money) },
  }
}

/** Renders a photo of a scan session. */
export function renderSessionPhoto(photo: ScanSessionPhoto) {
  const { photo: key, width, height, scans, created_at } = photo
  return { key, width, height, scans_charged: scans, created_at: timeText(created_at) }
}

/** Parses the cards of a photo that were found and not read. */
export function parseUnread({ unread }: ScanSessionPhoto): IdentifiedPage['unread'] {
  // addSessionPhoto wrote this text, so its shape is known.
  return JSON.parse(unread) as IdentifiedPage['unread']
}

/** Renders items of a scan session with their current prices. */
export function renderSessionItems(
  deps: Pick<Deps, 'catalog'>,
  items: readonly SessionItem[],
  money = IN_DOLLARS,
) {
  const known = items.filter(hasCard)
  const cards = deps.catalog.pricedCards.listNamed(known.map(({ card_id }) => card_id))
  const pictures = new Map(cards.map(({ id, image_url }) => [id, image_url]))
  const prices = new Map(priceItems(deps, known).map((priced) => [priced.item.id, priced]))
  return items.map((item) => {
    const image_url = item.card_id === null ? undefined : pictures.get(item.card_id)
    const { id, photo, page_row, page_column, outline, identification_id, copied_from } = item
    return {
      ...{ id, photo, row: page_row, column: page_column },
      // describeSessionCard wrote this text, so its shape is known.
      outline: outline === null ? null : (JSON.parse(outline) as Outline),
      ...{ identification_id, copied_from },
      ...renderReading(item),
      ...renderCopies(item, image_url ?? null),
      ...renderItemValue(prices.get(item.id), money),
      revision: item.revision,
      created_at: timeText(item.created_at),
      updated_at: timeText(item.updated_at),
    }
  })
}

/** Renders one item of a scan session. */
export function renderSessionItem(deps: Pick<Deps, 'catalog'>, item: SessionItem) {
  const [rendered] = renderSessionItems(deps, [item])
  if (rendered === undefined) throw new Error('an item was not rendered')
  return rendered
}

function renderReading({ data }: SessionItem) {
  // describeSessionCard wrote this text, so its shape is known.
  const { status, message, read, candidates, warnings } = JSON.parse(data) as IdentifiedPhoto
  return { status, message, read, candidates, warnings }
}

function renderCopies(item: SessionItem, image_url: string | null) {
  const { card_id, name, number, game, set_id, set_name } = item
  const { printing, condition, grade, language, quantity, is_reviewed } = item
  return {
    ...{ card_id, name, number, game, set_id, set_name, image_url },
    ...{ printing, condition, grade, language, quantity, is_reviewed: is_reviewed === 1 },
  }
}

const hasCard = (item: SessionItem): item is SessionItem & { card_id: number } =>
  item.card_id !== null

/** @param priced undefined for an item without a card */
function renderItemValue(
  priced: PricedItem<SessionItem & { card_id: number }> | undefined,
  money: CollectionMoney,
) {
  if (priced !== undefined) return renderValue(priced, money)
  return { market_price: null, value: null, ...renderCurrency(money), notes: [] }
}
