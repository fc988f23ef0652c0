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
  /** Slug of the game that the search is restricted to. */
  game: string | undefined
  /** Whether the top candidate comes with its prices. */
  prices: boolean
  /** Of the client, as two capital letters; undefined: nobody tells. */
  country: string | undefined
}

/**
 * Reads one photo for one scan, which comes back where the photo is not read: because of us, or
 * because it is no picture.
 *
 * @throws ServiceError INVALID_GAME, IDENTIFY_REGION_UNAVAILABLE, SCAN_BALANCE_EMPTY, INVALID_IMAGE or
 *   IDENTIFY_UNAVAILABLE
 */
export async function identifyPhoto(deps: IdentifyDeps, request: PhotoRequest) {
  const { ledger, now } = deps
  const game = findGame(deps, request.game)
  const scan = await takeScan(deps, request)
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
    const isNoPicture = cause instanceof ServiceError && cause.code === 'INVALID_IMAGE'
    await ledger.scans.release(scan.id, isNoPicture ? 'rejected' : 'refunded', now())
    throw cause
  }
}

/**
 * A country without a reader is told so even where no scan is left: buying some would not help. The
 * scan that it has comes back at once (specification, Limits 7).
 */
async function takeScan(
  deps: Pick<Deps, 'ledger' | 'config' | 'now'>,
  { account_id, country }: PhotoRequest,
) {
  const { ledger, now } = deps
  const id = randomUUID()
  const taken_at = now()
  const due_at = new Date(taken_at.getTime() + SCAN_HOLD_MS)
  const isTaken = await ledger.scans.reserve({ id, account_id, taken_at, due_at })
  try {
    assertCountryAllowed(deps, country)
  } catch (cause) {
    await ledger.scans.release(id, 'refunded', taken_at)
    throw cause
  }
  if (isTaken) return { id, account_id }
  throw new ServiceError('SCAN_BALANCE_EMPTY', 'No scans are left. Buy a pack of scans to go on.')
}
