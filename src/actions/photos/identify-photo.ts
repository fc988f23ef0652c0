import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { PAGE_CREDIT_MS, SCAN_RENEWAL_MS } from '#rules/photos/scans.ts'
import { showsSeveralCards } from '#rules/photos/verdict.ts'
import type { PriceChoice } from '#rules/pricing/price-view.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import type { NewScanPhoto } from '#store/ledger/collections/scan-photos.ts'
import { findGame } from '../catalog/find-game.ts'
import { choosePrices } from '../pricing/choose-prices.ts'
import {
  assertScansLeft,
  payerOf,
  renewScan,
  reserveScan,
  scanBalanceEmpty,
} from './accept-photo.ts'
import { countDamagedPhoto, DAMAGED_FREE } from './damaged-photos.ts'
import { countFreeCard, freeCardLimits } from './free-cards.ts'
import { type readPhoto, readPhotoAndFingerprint } from './read-photo.ts'

type IdentifyDeps = Pick<Deps, 'catalog' | 'config' | 'ledger' | 'log' | 'reader' | 'now'>

export type PhotoRequest = {
  account_id: number
  /** Address of the client. */
  address: string
  /** Aborts when the client leaves. A photo that was not read by then is neither charged nor stored. */
  clientSignal?: AbortSignal | undefined
  photo: Uint8Array
  /** Slug of the game to which the search is restricted. */
  game: string | undefined
  /** Adds prices to the top candidate. */
  prices: boolean
  /** Adds the confidence to each of these prices. */
  confidence?: boolean
  /** Currency and source of the prices. */
  choice?: PriceChoice
}

/** Result of reading one photo. */
export type IdentifiedPhoto = Awaited<ReturnType<typeof readPhoto>>

type SinglePhotoRequest = PhotoRequest & {
  /** Describes the photo for its scan session. The description is stored together with the scan. */
  describeForSession?: (read: IdentifiedPhoto) => NewScanPhoto
}

/**
 * Identifies one photo for one scan. The scan is refunded after a server error, and if the photo is not an image.
 * After five damaged photos in a day, further ones use their scans. A photo of several cards uses a scan that a page
 * returns if it follows soon.
 *
 * @throws ServiceError INVALID_GAME, VALIDATION_ERROR for the choice of prices, SCAN_BALANCE_EMPTY, INVALID_IMAGE,
 * TOO_MANY_ATTEMPTS or IDENTIFY_UNAVAILABLE
 */
export async function identifyPhoto(deps: IdentifyDeps, request: SinglePhotoRequest) {
  const { ledger, reader, now } = deps
  const { address } = request
  const game = findGame(deps, request.game)
  const catalog = choosePrices(deps, request.choice ?? {})
  const scan = await takeScan(deps, request)
  const sender = { network: clientNetwork(address), payer: payerOf(request.account_id) }
  const renewal = setInterval(() => void renewScan(deps, scan.id), SCAN_RENEWAL_MS)
  try {
    const confidenceDay = request.confidence ? dayOf(now()) : undefined
    const input = { ...request, id: scan.id, game, sender, confidenceDay }
    const { data, fingerprint } = await readPhotoAndFingerprint({ catalog, reader }, input)
    const at = now()
    const identification = {
      ...scan,
      at: at.getTime(),
      status: data.status,
      game: game?.slug ?? null,
      data: JSON.stringify(data),
      fingerprint,
    }
    const settlement = await ledger.scans.record({
      account_id: scan.account_id,
      charged: [identification],
      free: [],
      creditMs: showsSeveralCards(data) ? PAGE_CREDIT_MS : undefined,
      unstored: freeCardLimits(deps, { payer: sender.payer, address }),
      now: at,
      session: request.describeForSession?.(data),
    })
    return { data, settlement }
  } catch (cause) {
    throw await settleFailure(deps, { ...request, id: scan.id }, cause)
  } finally {
    clearInterval(renewal)
  }
}

/**
 * Settles the scan of a photo that was not read, and returns the error to throw. A damaged photo, or one whose client
 * left while it was read, uses its scan after too many of them.
 */
export async function settleFailure(
  deps: Pick<Deps, 'config' | 'ledger' | 'now'>,
  scan: { id: string; account_id: number; address: string },
  cause: unknown,
): Promise<unknown> {
  const { address } = scan
  const payer = payerOf(scan.account_id)
  if (cause instanceof DamagedPhoto && (await countDamagedPhoto(deps, payer))) {
    return chargeDamaged(deps, scan, cause)
  }
  if (cause instanceof ClientLeft && cause.hasBegun) {
    const isFree = await countFreeCard(deps, freeCardLimits(deps, { payer, address }))
    if (!isFree) await deps.ledger.scans.keep(scan.id, scan.account_id)
  }
  const isRejected = cause instanceof ServiceError && REJECTIONS.has(cause.code)
  await deps.ledger.scans.release(scan.id, isRejected ? 'rejected' : 'refunded', deps.now())
  return cause
}

/** Uses the scan of a damaged photo, and returns the error that explains it. */
async function chargeDamaged(
  { ledger }: Pick<Deps, 'ledger'>,
  { id, account_id }: { id: string; account_id: number },
  { code, message }: DamagedPhoto,
): Promise<ServiceError> {
  const { charged, remaining } = await ledger.scans.keep(id, account_id)
  const text = `${message} It used one scan, because more than ${DAMAGED_FREE} photos of this account were damaged within a day.`
  const meta = { charged: charged ? 'scan' : null, scans_remaining: remaining }
  return new ServiceError(code, charged ? text : message, { meta })
}

/** Errors of photos that are free of charge. */
const REJECTIONS: ReadonlySet<ErrorCode> = new Set(['INVALID_IMAGE', 'TOO_MANY_ATTEMPTS'])

/** @throws ServiceError SCAN_BALANCE_EMPTY */
async function takeScan(
  deps: Pick<Deps, 'config' | 'ledger' | 'now'>,
  { account_id, address }: Pick<PhotoRequest, 'account_id' | 'address'>,
): Promise<{ id: string; account_id: number }> {
  const { id, isReserved } = await reserveScan(deps, { account_id, address })
  if (isReserved) return { id, account_id }
  await assertScansLeft(deps, { account_id, address })
  throw scanBalanceEmpty(deps.config)
}
