// Runs operations on a scan ledger until it is killed by test/chaos/scans.slow.test.ts. Records each operation before
// its start and after its completion.
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { PACKS, PRICE_CENTS } from '#rules/billing/plans.ts'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'
import { openDatabase } from '#store/db.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { openRecordFile } from '../../support/chaos.ts'
import { recordScan } from '../../support/photos/record-scan.ts'
import { pick, randomFrom } from '../../support/random.ts'
import type { ScanOperation, ScanOutcome } from './scan-model.ts'
import { type LogPosition, lastCommit } from './write-ahead-log.ts'

export type ScanTask = {
  folder: string
  record: string
  seed: number
  accounts: readonly number[]
  /** Epoch milliseconds of the first operation; the others follow at intervals of a second. */
  from: number
  /** Unconfirmed purchases that the provider reports again. */
  again: readonly ScanOperation[]
}

/** A line of the record. */
export type ScanLine = { begin: ScanOperation } | { answer: ScanOutcome; place: LogPosition }

/** Relative frequency of the operations. */
const FREQUENCIES = [
  ...Array<ScanOperation['kind']>(8).fill('take'),
  ...Array<ScanOperation['kind']>(8).fill('record'),
  ...Array<ScanOperation['kind']>(2).fill('give'),
  ...Array<ScanOperation['kind']>(6).fill('purchase'),
  'grant' as const,
  'overdue' as const,
]
/** Maximum number of unsettled photos. */
const PHOTOS_MAX = 60

const task: ScanTask = JSON.parse(process.argv[2] ?? '{}') // written by the test
const path = join(task.folder, 'ledger.db')
const db = openDatabase(path)
const ledger = openLedgerOn(db)
const random = randomFrom(task.seed)
const photos: { id: string; account: number; isRecorded: boolean }[] = []
let at = task.from
const tick = () => {
  at += 1_000
  return at
}

await work()

/** Records the provider's event of a paid pack. A repeated event counts once. */
async function buy({ account, ref, item, at }: Extract<ScanOperation, { kind: 'purchase' }>) {
  const purchase = { ref, account_id: account, item, amount_cents: PRICE_CENTS[item] }
  const event = {
    id: `event-${ref}`,
    provider: 'stripe',
    type: 'checkout.session.completed',
    account_id: account,
    outcome: 'applied',
    detail: null,
  } as const
  await ledger.billing.record(event, [{ kind: 'purchase', purchase }], new Date(at))
}

async function work(): Promise<never> {
  const record = openRecordFile(task.record)
  let shm: number | undefined
  const run = async (operation: ScanOperation) => {
    record.append({ begin: operation } satisfies ScanLine)
    const answer = await perform(operation)
    // Exists after the first write.
    shm ??= openSync(`${path}-shm`, 'r')
    record.append({ answer, place: lastCommit(shm) } satisfies ScanLine)
  }
  for (const operation of task.again) await run({ ...operation, at: tick() })
  for (;;) {
    tick()
    const operation = invent(pick(random, FREQUENCIES))
    if (operation !== undefined) await run(operation)
  }
}

/** Creates a random operation of this kind; undefined if it needs a photo and no photo exists. */
function invent(kind: ScanOperation['kind']): ScanOperation | undefined {
  const account = pick(random, task.accounts)
  // Every second account buys nothing, so that it runs out of scans.
  const buysNothing = task.accounts.indexOf(account) % 2 === 0
  if (kind === 'overdue') return { kind, at }
  if (kind === 'grant') return { kind, at, account, ref: `grant-${at}`, n: pick(random, [1, 2, 3]) }
  if (kind === 'purchase' && !buysNothing) {
    return { kind, at, account, ref: `purchase-${at}`, item: pick(random, PACKS) }
  }
  if (kind === 'take' || kind === 'purchase') {
    return { kind: 'take', at, account, id: `photo-${at}`, due_at: at + SCAN_HOLD_MS }
  }
  const photo = photos[Math.floor(random() * photos.length)]
  if (photo === undefined || (kind === 'record' && photo.isRecorded)) return undefined
  const { id } = photo
  if (kind === 'give') return { kind, at, id, why: pick(random, ['refunded', 'rejected'] as const) }
  photo.isRecorded = true
  return { kind, at, account: photo.account, id, status: pick(random, VERDICT_STATUSES) }
}

async function perform(operation: ScanOperation): Promise<ScanOutcome> {
  const now = new Date(operation.at)
  if (operation.kind === 'purchase') await buy(operation)
  else if (operation.kind === 'grant') {
    const { account, n, ref } = operation
    await ledger.scans.grant({ account_id: account, n, ref }, { now, address: undefined })
  } else if (operation.kind === 'give') await ledger.scans.release(operation.id, operation.why, now)
  else if (operation.kind === 'overdue') return ledger.scans.refundOverdue(now)
  else if (operation.kind === 'take') return take(operation)
  else {
    const { id, account: account_id, status, at } = operation
    return recordScan(ledger.scans, { id, account_id, status, at, game: null, data: '{}' })
  }
  return null
}

async function take({ id, account, at, due_at }: Extract<ScanOperation, { kind: 'take' }>) {
  const hold = { id, account_id: account, taken_at: new Date(at), holdMs: due_at - at }
  const isTaken = await ledger.scans.reserve(hold)
  if (isTaken) photos.push({ id, account, isRecorded: false })
  if (photos.length > PHOTOS_MAX) photos.shift()
  return isTaken
}
