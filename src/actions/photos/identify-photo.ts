import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findGame } from '../catalog/find-game.ts'
import { assertCountryAllowed } from './check-country.ts'
import { readPhoto } from './read-photo.ts'

type IdentifyDeps = Pick<Deps, 'catalog' | 'ledger' | 'reader' | 'config' | 'log' | 'now'>

export type PhotoRequest = {
  account_id: number
  photo: Uint8Array
  /** Slug of the game to which the search is restricted. */
  game: string | undefined
  /** Adds prices to the top candidate. */
  prices: boolean
  /** Country of the client, as two capital letters; undefined if unknown. */
  country: string | undefined
}

/**
 * Identifies one photo for one scan. The scan is refunded if the photo is not an image, or because of a
 * server error.
 *
 * @throws ServiceError INVALID_GAME, IDENTIFY_REGION_UNAVAILABLE, SCAN_BALANCE_EMPTY, INVALID_IMAGE or
 *   IDENTIFY_UNAVAILABLE
 */
export async function identifyPhoto(deps: IdentifyDeps, request: PhotoRequest) {
  const { ledger, now } = deps
  const game = findGame(deps, request.game)
  const scan = await reserveScan(deps, request)
  try {
    const data = await readPhoto(deps, { ...request, id: scan.id, game })
    const { charged, remaining } = await ledger.scans.record({
      ...scan,
      at: now().getTime(),
      status: data.status,
      game: game?.slug ?? null,
      data: JSON.stringify(data),
    })
    return { data, meta: { charged: charged ? 'scan' : null, scans_remaining: remaining } as const }
  } catch (cause) {
    const isInvalidImage = cause instanceof ServiceError && cause.code === 'INVALID_IMAGE'
    await ledger.scans.release(scan.id, isInvalidImage ? 'rejected' : 'refunded', now())
    throw cause
  }
}

/**
 * Reserves a scan. The check of the country comes before the error for an empty balance, since buying
 * scans would not help there (specification, Limits 7).
 */
async function reserveScan(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  { account_id, country }: PhotoRequest,
) {
  const { ledger, now } = deps
  const id = randomUUID()
  const taken_at = now()
  const due_at = new Date(taken_at.getTime() + SCAN_HOLD_MS)
  const isReserved = await ledger.scans.reserve({ id, account_id, taken_at, due_at })
  try {
    assertCountryAllowed(deps, country)
  } catch (cause) {
    await ledger.scans.release(id, 'refunded', taken_at)
    throw cause
  }
  if (isReserved) return { id, account_id }
  throw new ServiceError('SCAN_BALANCE_EMPTY', 'No scans are left. Buy a scan pack to continue.')
}
