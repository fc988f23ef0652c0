// The scan ledger under a writer that is killed at random moments, and with a log that a power cut has torn.
// Processes and files are real; the expected data is recorded outside of them. `bun run chaos money` runs it at full
// size; FUZZ_SEED=… repeats the operations.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#store/db.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { CHAOS_LIMIT_MS, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { findScanFaults, hasLeftTrace } from './scans/scan-check.ts'
import { createScanModel, type ScanModel, type ScanOperation } from './scans/scan-model.ts'
import {
  applyOperation,
  type CompletedOperation,
  createScanRun,
  killDuringStart,
  killDuringWork,
  modelAfter,
  type ScanRun,
} from './scans/scan-run.ts'
import { DAMAGES, damageLog, findUnsyncedTail, type UnsyncedTail } from './scans/write-ahead-log.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const KILLS = sizedFor(6, 300)
const TORN_COPIES = sizedFor(6, 300)

const closers = closeAfterEach()

async function openRun() {
  const run = await createScanRun(SEED)
  closers.push(run.close)
  return { run, random: randomFrom(SEED), started: performance.now() }
}

const isPurchase = ({ operation }: CompletedOperation) => operation.kind === 'purchase'

test('a killed writer loses nothing that it acknowledged and leaves nothing incomplete', async () => {
  const { run, random, started } = await openRun()
  const model = createScanModel(run.accounts)
  const counts = { kills: 0, open: 0, kept: 0, idle: 0, acknowledged: 0, purchases: 0, refused: 0 }
  // A few kills can miss every purchase, refusal or operation in progress.
  const hasMissed = () => Math.min(counts.purchases, counts.refused, counts.open) === 0
  for (; counts.kills < KILLS || hasMissed(); counts.kills++) {
    const kill = counts.kills
    const life = await run.live(
      kill % 6 === 5 ? killDuringStart(random) : killDuringWork(random, kill),
    )
    for (const operation of life.done) expect(applyOperation(model, operation)).toEqual([])
    counts.kept += settle(run, model, life.open) === undefined ? 0 : 1
    const db = openDatabase(run.database, { readonly: true })
    expect({ kill, seed: SEED, faults: findScanFaults(db, model) }).toMatchObject({ faults: [] })
    expect(await openLedgerOn(db).scans.listUnbalanced()).toEqual([])
    db.close()
    counts.open += life.open === undefined ? 0 : 1
    counts.idle += life.done.length === 0 ? 1 : 0
    counts.acknowledged += life.done.length
    counts.purchases += life.done.filter(isPurchase).length
    counts.refused += life.done.filter(({ answer }) => answer === false).length
  }
  console.info(
    `${counts.kills} kills, ${counts.open} within an operation (${counts.kept} of these are there whole, the others not at all), ${counts.idle} before the first one: ${counts.acknowledged} operations acknowledged, ${counts.purchases} of them purchases, ${counts.refused} refused for want of scans: lost 0, counted twice 0, balances that are not the sum of their entries 0; ${secondsSince(started)} s, seed ${SEED}`,
  )
})

test('a log torn by a power cut keeps everything before the tear, and nothing incomplete', async () => {
  const { run, random, started } = await openRun()
  const whole = createScanModel(run.accounts)
  const history: CompletedOperation[] = []
  const counts = { copies: 0, kills: 0, shorter: 0, operations: 0, purchases: 0 }
  const hasMissed = () => Math.min(counts.shorter, counts.purchases) === 0
  for (; counts.copies < TORN_COPIES || hasMissed(); counts.kills++) {
    const life = await run.live(killDuringWork(random, counts.kills + 1))
    for (const operation of life.done) expect(applyOperation(whole, operation)).toEqual([])
    history.push(...life.done)
    const loose = life.done.length === 0 ? undefined : findUnsyncedTail(run.database)
    for (const kind of loose === undefined ? [] : DAMAGES) {
      if (loose === undefined || (counts.copies >= TORN_COPIES && !hasMissed())) break
      const copy = copyOf(run, counts.copies++)
      const kept = keptOf(history, loose, damageLog(copy.database, kind, loose, random))
      const isShorter = kept.length < history.length
      await expectWhole(copy.database, run.accounts, kept, isShorter ? undefined : life.open)
      copy.remove()
      const atRisk = kept.filter(({ position }) => isLoose(position, loose))
      counts.shorter += isShorter ? 1 : 0
      counts.operations += atRisk.length
      counts.purchases += atRisk.filter(isPurchase).length
    }
    const settled = settle(run, whole, life.open)
    if (settled !== undefined) history.push(settled)
  }
  const logs = new Set(history.flatMap(({ position }) => position?.salt ?? [])).size
  console.info(
    `${counts.copies} torn copies of a log under load, of ${counts.kills} kills and ${logs} generations of the log: all open, integrity ok, balances that are not the sum of their entries 0; ${counts.operations} operations were in the log between its last checkpoint and the tear, ${counts.purchases} of them purchases: lost 0; ${counts.shorter} copies lost operations behind the tear, all of these whole; ${secondsSince(started)} s, seed ${SEED}`,
  )
})

const isLoose = (place: CompletedOperation['position'], loose: UnsyncedTail) =>
  place?.salt === loose.salt && place.frames > loose.checkpointed

/** Returns the part of a history that a copy with an intact log up to a frame must contain. */
function keptOf(
  history: readonly CompletedOperation[],
  loose: UnsyncedTail,
  frames: number,
): readonly CompletedOperation[] {
  const first = history.findIndex(
    ({ position }) => isLoose(position, loose) && (position?.frames ?? 0) > frames,
  )
  return first < 0 ? history : history.slice(0, first)
}

/** Copies the file and its log as the writer left them, before any process opens them. */
function copyOf(run: ScanRun, number: number) {
  const folder = join(run.root, `copy-${number}`)
  mkdirSync(folder)
  const database = join(folder, 'ledger.db')
  for (const end of ['', '-wal']) copyFileSync(run.database + end, database + end)
  return { database, remove: () => rmSync(folder, { recursive: true }) }
}

/** A torn file opens, has exactly the stored data, and can be written. */
async function expectWhole(
  database: string,
  accounts: readonly number[],
  kept: readonly CompletedOperation[],
  open: ScanOperation | undefined,
): Promise<void> {
  const model = modelAfter(accounts, kept)
  const db = openDatabase(database)
  const { scans } = openLedgerOn(db)
  if (open !== undefined && hasLeftTrace(db, model, open)) model.apply(open)
  expect({ seed: SEED, faults: findScanFaults(db, model) }).toMatchObject({ faults: [] })
  expect(await scans.listUnbalanced()).toEqual([])
  const grant = { account_id: accounts[0] ?? 0, n: 1, ref: 'after the tear' }
  await scans.grant(grant, { now: new Date(), address: undefined })
  expect(await scans.listUnbalanced()).toEqual([])
  db.close()
}

/** Determines whether the operation during the kill was completed: if so, it belongs to the history. */
function settle(
  run: ScanRun,
  model: ScanModel,
  interrupted: ScanOperation | undefined,
): CompletedOperation | undefined {
  if (interrupted === undefined) return undefined
  const db = openDatabase(run.database, { readonly: true })
  const isThere = hasLeftTrace(db, model, interrupted)
  db.close()
  if (isThere) model.apply(interrupted)
  return isThere ? { operation: interrupted, answer: undefined, position: undefined } : undefined
}

const secondsSince = (started: number) => ((performance.now() - started) / 1_000).toFixed(1)
