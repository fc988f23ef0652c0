import { remainingScans } from '#rules/photos/scans.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { type LimitedAction, openAttemptCounter } from './attempts.ts'
import { type AuditContext, openAuditWriter } from './audit.ts'
import { type NewScanPhoto, openScanPhotoWriter } from './collections/scan-photos.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { Identification } from './identifications.ts'
import { type DayOutcome, openScanDays, type ScanDay } from './scan-days.ts'
import { openScanHolds, type ScanHold, type ScanReturn } from './scan-holds.ts'
import { openScanLedger, type ScanAddition, type UnbalancedAccount } from './scan-ledger.ts'
import type { IdentificationRow } from './schema/photos.ts'

/** The cards of a photo. The scan of a card has the same id as its identification. */
export type PhotoIdentifications = {
  account_id: number
  /** Cards that use one scan each. */
  charged: readonly Identification[]
  free: readonly Identification[]
  /** Milliseconds within which a page returns these scans; undefined if none does. */
  creditMs?: number | undefined
  /** True for a page that returns the newest such scan of the account. */
  returnsCredit?: boolean
  /** Limits of cards whose scans are returned because their photo is not stored. */
  unstored?: readonly LimitedAction[]
  /** Id of a reserved scan that no card needed. */
  leftover?: string | undefined
  /** Id of the scan used by a photo without a card. */
  empty?: string | undefined
  /** The photo of a scan session to store with them. */
  session?: NewScanPhoto | undefined
  now: Date
}

/**
 * Result of a photo: `charged` is less than its scans if some were refunded, and `credited` the number of scans of an
 * earlier photo that it returned. A photo that its scan session already has (`repeated`), or whose session was deleted
 * (`missing`), is not stored, and its scans are returned within the limits of `unstored`.
 */
export type PhotoSettlement = {
  charged: number
  credited: number
  remaining: number
  outcome: 'stored' | 'repeated' | 'missing'
}

/** Scans: reserved before a photo is read, and settled afterwards. */
export type ScanStore = {
  /**
   * Reserves one scan for a photo, and grants the trial first. An account that has had no trial gets none while too
   * many others in its network have started theirs.
   *
   * @returns false if none is left
   */
  reserve(hold: ScanHold): Promise<boolean>
  /**
   * Reserves the scan that a page credits, before its cards are read.
   *
   * @returns false if the account has no such scan that it can use
   */
  reserveCredit(hold: ScanHold): Promise<boolean>
  /** Returns true if a page could use the scan that it credits. */
  hasCredit(accountId: number, now: Date): Promise<boolean>
  /** Returns milliseconds until an account's trial can be granted; undefined if it can be granted now. */
  getTrialWait(
    accountId: number,
    limits: readonly LimitedAction[],
    now: Date,
  ): Promise<number | undefined>
  /** Extends the time for settling a reserved scan to `holdMs` from now. */
  renew(id: string, holdMs: number, now: Date): Promise<void>
  /**
   * Stores the identifications of a photo in one transaction, with the photo of its scan session if it has one. Uses
   * up the scan of each charged card, and returns the leftover scan and the scan that the photo credits.
   */
  record(photo: PhotoIdentifications): Promise<PhotoSettlement>
  /** Uses up the scan of a photo without an identification. */
  keep(id: string, accountId: number): Promise<{ charged: boolean; remaining: number }>
  /** Returns a reserved scan; a rejected photo leaves its account unchanged, including its trial. */
  release(id: string, reason: ScanReturn, now: Date): Promise<void>
  /** Refunds scans whose process was killed before it settled them. Returns their number. */
  refundOverdue(now: Date): Promise<number>
  /** Grants scans by the operator; each `ref` counts once. */
  grant(grant: { account_id: number; n: number; ref: string }, context: AuditContext): Promise<void>
  /** Counts the photos of all accounts that were sent on a day and read. */
  countByDay(day: number): Promise<number>
  /** Lists an account's scans by day and outcome; days without scans are skipped. */
  listDays(accountId: number, firstDay: number): Promise<ScanDay[]>
  /** Lists additions to an account, newest first. */
  listAdditions(accountId: number, limit: number): Promise<ScanAddition[]>
  /** Lists accounts whose balance is not the sum of their entries; there should be none. */
  listUnbalanced(): Promise<UnbalancedAccount[]>
  /**
   * Deletes days before a day, and settled reservations before a time, at most `limit` of each. Returns the number of
   * deleted rows.
   */
  deleteBefore(day: number, time: Date, limit: number): Promise<number>
}

export function openScanStore(engine: LedgerEngine): ScanStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const scanLedger = openScanLedger(engine)
  const holds = openScanHolds(engine, scanLedger)
  const attempts = openAttemptCounter(engine)
  const photos = openScanPhotoWriter(engine)
  const insertIdentification = engine.prepare<
    [Omit<Identification, 'fingerprint'> & Pick<IdentificationRow, 'fingerprint'>]
  >(
    `INSERT INTO identifications (id, account_id, at, status, game, data, fingerprint)
     VALUES (@id, @account_id, @at, @status, @game, @data, @fingerprint)`,
  )
  const days = openScanDays(engine)

  const addIdentification = (identification: Identification) =>
    insertIdentification.run({
      ...identification,
      fingerprint: identification.fingerprint ?? null,
    })

  /**
   * Grants the trial, which counts in the network unless it was granted and withdrawn before.
   *
   * @returns number of scans in the trial; 0 if it cannot be granted now
   */
  function* startTrial(
    accountId: number,
    limits: readonly LimitedAction[],
    now: Date,
  ): LedgerOperation<number> {
    const isAllowed =
      (yield* scanLedger.hasHadTrial(accountId)) ||
      (yield* attempts.consumeAll(limits, now)) === undefined
    return isAllowed ? yield* scanLedger.grantTrial(accountId, now.getTime()) : 0
  }

  function* returnScan(id: string, why: ScanReturn, now: Date): LedgerOperation<void> {
    const held = yield* holds.end(id, why)
    if (held === undefined) return
    const { account_id, taken_at } = held
    const at = now.getTime()
    if (why === 'refunded') {
      yield* scanLedger.add({ account_id, kind: 'refund', n: 1, ref: id, at })
      yield* days.count(account_id, dayOf(new Date(taken_at)), 'refunded')
    } else {
      yield* scanLedger.enter({ account_id, kind: 'rejection', n: 1, ref: id, at })
      yield* scanLedger.withdrawUnusedTrial(account_id, at)
    }
  }

  /** Uses up a scan. @returns false if it is no longer reserved */
  function* useUp(id: string, account_id: number, outcome: DayOutcome): LedgerOperation<boolean> {
    const held = yield* holds.end(id, 'done')
    if (held !== undefined) yield* days.count(account_id, dayOf(new Date(held.taken_at)), outcome)
    return held !== undefined
  }

  function* getRemaining(account_id: number): LedgerOperation<number> {
    return remainingScans(yield* scanLedger.getAccount(account_id))
  }

  function* settle(photo: PhotoIdentifications): LedgerOperation<PhotoSettlement> {
    const { account_id, session } = photo
    const outcome = session && (yield* photos.check(session, account_id))
    const isStored = outcome === undefined || outcome === 'stored'
    const charged = yield* isStored ? storePhoto(photo) : returnScans(photo)
    const returnsCredit = isStored && photo.returnsCredit === true
    const credited = returnsCredit ? yield* holds.returnCredit(account_id, photo.now.getTime()) : 0
    const remaining = yield* getRemaining(account_id)
    return { charged, credited, remaining, outcome: outcome ?? 'stored' }
  }

  /** @returns number of used scans */
  function* storePhoto(photo: PhotoIdentifications): LedgerOperation<number> {
    const { account_id, charged, free, creditMs, leftover, empty, session, now } = photo
    let used = 0
    for (const identification of charged) {
      const { id, status } = identification
      yield* addIdentification(identification)
      const isUsed = yield* useUp(id, account_id, status)
      used += Number(isUsed)
      if (isUsed && creditMs !== undefined) {
        yield* holds.offerCredit({ id, creditMs, now: now.getTime() })
      }
    }
    for (const identification of free) yield* addIdentification(identification)
    if (leftover !== undefined) yield* returnScan(leftover, 'rejected', now)
    if (empty !== undefined) used += Number(yield* useUp(empty, account_id, 'scans'))
    if (session !== undefined) yield* photos.add(session, used, now.getTime())
    return used
  }

  /** Returns the scans of a photo that is not stored, up to a limit. @returns number of used scans */
  function* returnScans(photo: PhotoIdentifications): LedgerOperation<number> {
    const { account_id, charged, leftover, empty, unstored = [], now } = photo
    let used = 0
    if (leftover !== undefined) yield* returnScan(leftover, 'rejected', now)
    for (const id of [...charged.map(({ id }) => id), empty]) {
      if (id === undefined) continue
      const isFree = (yield* attempts.consumeAll(unstored, now)) === undefined
      if (isFree) yield* returnScan(id, 'rejected', now)
      else used += Number(yield* useUp(id, account_id, 'scans'))
    }
    return used
  }

  return {
    reserve: (reserved) =>
      transact(
        function* () {
          const { account_id, taken_at, trialLimits = [] } = reserved
          const { trial_at, balance } = yield* scanLedger.getAccount(account_id)
          const trial = trial_at === null ? yield* startTrial(account_id, trialLimits, taken_at) : 0
          if (balance + trial === 0) return false
          yield* holds.add(reserved)
          return true
        },
        { account: reserved.account_id },
      ),
    reserveCredit: (scan) =>
      transact(
        function* () {
          const at = scan.taken_at.getTime()
          if (!(yield* holds.hasCredit(scan.account_id, at))) return false
          yield* holds.returnCredit(scan.account_id, at)
          yield* holds.add(scan)
          return true
        },
        { account: scan.account_id },
      ),
    hasCredit: (accountId, now) => transact(() => holds.hasCredit(accountId, now.getTime())),
    getTrialWait: (accountId, limits, now) =>
      transact(function* () {
        const hasHadTrial = yield* scanLedger.hasHadTrial(accountId)
        return hasHadTrial ? undefined : yield* attempts.findWait(limits, now)
      }),
    renew: async (id, holdMs, now) =>
      void (await query(holds.extend({ id, holdMs, now: now.getTime() }))),
    record: (photo) => transact(() => settle(photo), { account: photo.account_id }),
    keep: (id, account_id) =>
      transact(
        function* () {
          const charged = yield* useUp(id, account_id, 'scans')
          return { charged, remaining: yield* getRemaining(account_id) }
        },
        { account: account_id },
      ),
    release: (id, why, now) => transact(() => returnScan(id, why, now)),
    refundOverdue: async (now) => {
      const at = now.getTime()
      // Locks the file only if a scan is overdue, because this runs every few seconds.
      if ((await query(holds.listOverdue(at))).length === 0) return 0
      return transact(function* () {
        const overdue = yield* holds.listOverdue(at)
        for (const { id } of overdue) yield* returnScan(id, 'refunded', now)
        return overdue.length
      })
    },
    grant: ({ account_id, n, ref }, { now, address }) =>
      transact(
        function* () {
          const at = now.getTime()
          yield* scanLedger.add({ account_id, kind: 'grant', n, amount_cents: null, ref, at })
          yield* write({ at: now, event: 'scans_granted', account_id, address, detail: `+${n}` })
        },
        { account: account_id },
      ),
    countByDay: (day) => query(days.sum(day)),
    listDays: (accountId, firstDay) => query(days.list(accountId, firstDay)),
    listAdditions: (accountId, limit) => query(scanLedger.listAdditions(accountId, limit)),
    listUnbalanced: () => query(scanLedger.listUnbalanced()),
    deleteBefore: async (day, time, limit) =>
      (await query(days.deleteBefore(day, limit))) +
      (await query(holds.deleteBefore(time.getTime(), limit))),
  }
}
