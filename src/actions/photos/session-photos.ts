import type { Deps } from '#deps.ts'
import { PAGE_READING_MS } from '#rules/photos/deadlines.ts'
import { remainingScans } from '#rules/photos/scans.ts'
import { SESSION_ITEMS_MAX, suggestItem } from '#rules/photos/session-item.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import type { ScanItem } from '#store/ledger/collections/scan-items.ts'
import type { NewReading, NewScanPhoto, ScanPhoto } from '#store/ledger/collections/scan-photos.ts'
import type { PhotoSettlement } from '#store/ledger/scans.ts'
import { listNotFound } from '../collections/manage-lists.ts'
import { createItemId } from '../collections/parse-item.ts'
import { assertPhotoAccepted } from './accept-photo.ts'
import { identifyPage } from './identify-page.ts'
import { type IdentifiedPhoto, identifyPhoto } from './identify-photo.ts'
import type { CardPlace } from './order-cards.ts'
import { getScanSession } from './scan-sessions.ts'

type SessionPhotoDeps = Pick<
  Deps,
  'catalog' | 'config' | 'ledger' | 'log' | 'pageProgress' | 'reader' | 'now'
>

/** Identifies a photo of a scan session by the key that its client chose. */
export type SessionPhotoKey = { session: ListKey; photo: string }

export type SessionPhotoRequest = SessionPhotoKey & {
  /** Address of the client. */
  address: string
  /** Aborts when the client leaves. */
  clientSignal?: AbortSignal | undefined
  bytes: Uint8Array
  /** Slug of the game to which the search is restricted. */
  game: string | undefined
  /** True if the photo may show many cards. */
  isPage: boolean
  /** Maximum number of scans that a photo of many cards may use. */
  scansMax: number
}

export type SessionPhotoResult = {
  photo: ScanPhoto
  items: ScanItem[]
  /** Scans that this request used. */
  scans_charged: number
  scans_credited: number
  scans_remaining: number
  /** True if an earlier request has stored the photo. */
  isRepeated: boolean
}

/**
 * Rejects a photo before it is uploaded, unless the session already has it.
 *
 * @throws ServiceError NOT_FOUND, SCAN_SESSION_FULL, or as `assertPhotoAccepted`
 */
export async function assertSessionPhotoAccepted(
  deps: SessionPhotoDeps,
  { session: key, photo }: SessionPhotoKey,
  client: { country: string | undefined; address: string },
): Promise<void> {
  if ((await deps.ledger.scanPhotos.get(key, photo)) !== undefined) return
  const { items } = await getScanSession(deps, key)
  if (items >= SESSION_ITEMS_MAX) throw scanSessionFull()
  await assertPhotoAccepted(deps, { account_id: key.account_id, ...client, mayBePage: true })
}

/**
 * Identifies a photo and adds its cards to a scan session, in the transaction that settles its scans. A photo that
 * the session already has is not read again.
 *
 * @throws ServiceError NOT_FOUND, or as `identifyPhoto` and `identifyPage`; nothing is stored then
 */
export async function addSessionPhoto(
  deps: SessionPhotoDeps,
  request: SessionPhotoRequest,
): Promise<SessionPhotoResult> {
  const known = await findSessionPhoto(deps, request)
  if (known !== undefined) {
    const account = await deps.ledger.accounts.getScans(request.session.account_id)
    const scans_remaining = remainingScans(account)
    return { ...known, scans_charged: 0, scans_credited: 0, scans_remaining, isRepeated: true }
  }
  await getScanSession(deps, request.session)
  const { outcome, charged, credited, remaining } = await identify(deps, request)
  const stored = outcome === 'missing' ? undefined : await findSessionPhoto(deps, request)
  if (stored === undefined) throw listNotFound('scan')
  return {
    ...stored,
    scans_charged: charged,
    scans_credited: credited,
    scans_remaining: remaining,
    isRepeated: outcome === 'repeated',
  }
}

/** Returns a stored photo; undefined if it is not stored. */
async function findSessionPhoto(
  { ledger }: Pick<Deps, 'ledger'>,
  { session, photo: key }: SessionPhotoKey,
): Promise<Pick<SessionPhotoResult, 'photo' | 'items'> | undefined> {
  const photo = await ledger.scanPhotos.get(session, key)
  if (photo === undefined) return undefined
  return { photo, items: await ledger.scanItems.listOfPhoto(session.id, key) }
}

/** Identifies the photo, and describes it for the session before its scans are settled. */
async function identify(
  deps: SessionPhotoDeps,
  { session, photo: key, bytes, isPage, scansMax, ...sent }: SessionPhotoRequest,
): Promise<PhotoSettlement> {
  const { address, clientSignal, game } = sent
  const { account_id } = session
  const input = { account_id, address, clientSignal, photo: bytes, game, prices: false }
  const named = { list_id: session.id, photo: key }
  if (!isPage) {
    const { settlement } = await identifyPhoto(deps, {
      ...input,
      describeForSession: (read): NewScanPhoto => {
        const cards = [describeSessionCard(deps, read, undefined)]
        return { ...named, width: null, height: null, unread: '[]', cards }
      },
    })
    return settlement
  }
  const { settlement } = await identifyPage(deps, {
    ...input,
    scansMax,
    signal: AbortSignal.timeout(PAGE_READING_MS),
    describeForSession({ photo: { width, height }, cards, unread }) {
      const described = cards.map(({ row, column, outline, ...read }) =>
        describeSessionCard(deps, read, { row, column, outline }),
      )
      return { ...named, width, height, unread: JSON.stringify(unread), cards: described }
    },
  })
  return settlement
}

/** Describes a card that was read, and the item created from it. */
function describeSessionCard(
  { catalog }: Pick<Deps, 'catalog'>,
  read: IdentifiedPhoto,
  place: CardPlace | undefined,
): NewReading {
  const { id: identification_id } = read
  const suggested = suggestItem(read, (card_id) => catalog.prices.getBase(card_id).printing)
  return {
    identification_id,
    page_row: place?.row ?? null,
    page_column: place?.column ?? null,
    outline: place === undefined ? null : JSON.stringify(place.outline),
    data: JSON.stringify(read),
    item: { id: createItemId(), identification_id, copied_from: null, ...suggested },
  }
}

/** Creates the error for a scan session without room. */
export function scanSessionFull(): ServiceError {
  return new ServiceError(
    'SCAN_SESSION_FULL',
    `A scan session can have ${SESSION_ITEMS_MAX} items. Start another session.`,
  )
}
