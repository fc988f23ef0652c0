import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { SCAN_HOLD_MS, SCAN_RENEWAL_MS } from '#rules/photos/scans.ts'
import type { NewScanPhoto } from '#store/ledger/collections/scan-photos.ts'
import type { Identification } from '#store/ledger/identifications.ts'
import type { PhotoSettlement } from '#store/ledger/scans.ts'
import {
  assertScansLeft,
  payerOf,
  renewScan,
  reserveScan,
  scanBalanceEmpty,
} from './accept-photo.ts'
import { countFreeCard, freeCardLimits } from './free-cards.ts'
import { settleFailure } from './identify-photo.ts'

/** Scans of a page: one is reserved before each card is read, and all are settled together. */
export type PageScans = {
  /** Returns the number of cards that use a scan. */
  used(): number
  /**
   * Reserves the scan that a page of several cards returns, if none was left for its first card.
   *
   * @throws ServiceError SCAN_BALANCE_EMPTY
   */
  reserveCredit(cards: number): Promise<void>
  /**
   * Reserves a scan for the next card, unless the last card did not use its scan.
   *
   * @returns false if no scan is left
   */
  reserveNext(): Promise<boolean>
  /** Returns the id of the next identification: the id of its scan if it uses one. */
  nextId(usesScan: boolean): string
  /** Adds an identification to those that `record` stores. */
  add(identification: Omit<Identification, 'account_id'>, usesScan: boolean): void
  /**
   * Stores the identifications and settles all scans in one transaction. A page without a card uses one scan, and one
   * with several returns that of an earlier photo that should have shown one card.
   */
  record(page: { cards: number; session: NewScanPhoto | undefined }): Promise<PhotoSettlement>
  /** Returns all scans after a failure, and the error to throw. If the client left, further cards may use theirs. */
  fail(cause: unknown): Promise<unknown>
  stopRenewal(): void
}

type ScanDeps = Pick<Deps, 'config' | 'ledger' | 'log' | 'now'>

/**
 * Without a scan for the first card, a photo is cut if a page would return one. That counts as a free card.
 *
 * @throws ServiceError SCAN_BALANCE_EMPTY if no scan is left
 */
export async function takePageScans(
  deps: ScanDeps,
  sender: { account_id: number; address: string },
): Promise<PageScans> {
  const { ledger, now } = deps
  const { account_id } = sender
  const freeCards = freeCardLimits(deps, { ...sender, payer: payerOf(account_id) })
  const first = await reserveScan(deps, sender)
  if (!first.isReserved) {
    await assertScansLeft(deps, { ...sender, mayBePage: true })
    if (!(await countFreeCard(deps, freeCards))) throw scanBalanceEmpty(deps.config)
  }
  let spare = first.isReserved ? first.id : undefined
  let credited = 0
  const charged: Identification[] = []
  const free: Identification[] = []

  const held = () => [...charged.map(({ id }) => id), ...(spare === undefined ? [] : [spare])]
  const renewal = setInterval(() => {
    for (const id of held()) void renewScan(deps, id)
  }, SCAN_RENEWAL_MS)

  return {
    used: () => charged.length,
    async reserveCredit(cards) {
      if (spare !== undefined) return
      const id = randomUUID()
      const hold = { id, account_id, taken_at: now(), holdMs: SCAN_HOLD_MS }
      if (cards < 2 || !(await ledger.scans.reserveCredit(hold))) {
        throw scanBalanceEmpty(deps.config)
      }
      spare = id
      credited = 1
    },
    async reserveNext() {
      if (spare !== undefined) return true
      const { id, isReserved } = await reserveScan(deps, sender)
      if (isReserved) spare = id
      return isReserved
    },
    nextId: (usesScan) => (usesScan ? (spare ?? randomUUID()) : randomUUID()),
    add(identification, usesScan) {
      const list = usesScan ? charged : free
      list.push({ ...identification, account_id })
      if (usesScan) spare = undefined
    },
    async record({ cards, session }) {
      const rest = cards === 0 ? { empty: spare } : { leftover: spare }
      const returnsCredit = cards > 1 && credited === 0
      const page = { account_id, charged, free, ...rest, returnsCredit, unstored: freeCards }
      const settlement = await ledger.scans.record({ ...page, session, now: now() })
      return { ...settlement, credited: settlement.credited + credited }
    },
    async fail(cause) {
      for (const { id } of charged) {
        if (!(cause instanceof ClientLeft)) await ledger.scans.release(id, 'refunded', now())
        else await settleFailure(deps, { ...sender, id }, new ClientLeft(true))
      }
      return spare === undefined ? cause : settleFailure(deps, { ...sender, id: spare }, cause)
    },
    stopRenewal: () => clearInterval(renewal),
  }
}
