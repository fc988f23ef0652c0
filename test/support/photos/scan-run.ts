/**
 * A ledger of scans whose writer is killed again and again, and the history of what it did, which lies
 * outside of the ledger.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openLedger, prepareFiles } from '#store/index.ts'
import {
  type KillableProcess,
  readRecordFile,
  sizedFor,
  startKillable,
  waitForRecord,
} from '../chaos.ts'
import type { LogPosition } from '../write-ahead-log.ts'
import {
  createScanModel,
  type ScanModel,
  type ScanOperation,
  type ScanOutcome,
} from './scan-model.ts'
import type { ScanLine, ScanTask } from './scan-writer.ts'

const WRITER = resolve(import.meta.dir, 'scan-writer.ts')
const ACCOUNTS = 4
const START = Date.parse('2026-11-15T21:30:00Z')
const SECOND_MS = 1_000

/** An operation that was done; what nobody was told the end of has no place of its own. */
export type CompletedOperation = {
  operation: ScanOperation
  answer: ScanOutcome | undefined
  position: LogPosition | undefined
}

/** One life of the writer: what it told was done, and what it was killed in. */
export type WriterHistory = { done: CompletedOperation[]; open: ScanOperation | undefined }

export type ScanRun = Awaited<ReturnType<typeof createScanRun>>

export async function createScanRun(seed: number) {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-scans-'))
  const folder = join(root, 'data')
  prepareFiles(folder)
  const accounts = await addAccounts(folder)
  let lives = 0
  let from = START
  /** Purchases that were begun and not told to be done. */
  const again = new Map<string, ScanOperation>()

  return {
    root,
    folder,
    database: join(folder, 'ledger.db'),
    accounts,
    /** Lets the writer work until it is killed, and tells what it had done by then. */
    async live(
      kill: (process: KillableProcess, record: string) => Promise<void>,
    ): Promise<WriterHistory> {
      const record = join(root, `record-${lives++}`)
      const task = {
        folder,
        record,
        seed: seed + lives,
        accounts,
        from,
        again: [...again.values()],
      }
      const victim = startKillable(WRITER, task satisfies ScanTask)
      await kill(victim, record).finally(victim.kill)
      const history = writerHistory(readRecordFile(record) as ScanLine[]) // what scan-writer.ts writes
      for (const { operation } of history.done)
        if (operation.kind === 'purchase') again.delete(operation.ref)
      if (history.open?.kind === 'purchase') again.set(history.open.ref, history.open)
      from = (history.open ?? history.done.at(-1)?.operation ?? { at: from }).at + SECOND_MS
      return history
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  }
}

async function addAccounts(folder: string): Promise<number[]> {
  const ledger = openLedger(folder)
  const ids: number[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const account = {
      email: `${index}@scans.example`,
      password_hash: 'none',
      tier: 'free',
    } as const
    const added = await ledger.accounts.create(account, {
      now: new Date(START),
      address: undefined,
    })
    ids.push(added?.id ?? 0)
  }
  ledger.close()
  return ids
}

/** Pairs what began with what was done. The writer does one operation after the other. */
function writerHistory(lines: readonly ScanLine[]): WriterHistory {
  const operation: CompletedOperation[] = []
  let open: ScanOperation | undefined
  for (const line of lines) {
    if ('begin' in line) open = line.begin
    else if (open !== undefined) {
      operation.push({ operation: open, answer: line.answer, position: line.place })
      open = undefined
    }
  }
  return { done: operation, open }
}

/** How much a writer records at most before it is killed: 150 operations or 600. */
const RECORD_BYTES = sizedFor(32, 128) * 1_024
/** Parts of a whole that are spread evenly over it, however many are taken. */
const GOLDEN = 0.618034

/** Kills somewhere in the writer's work, sooner or later by turns, at no moment that anybody chose. */
export function killDuringWork(random: () => number, turn: number) {
  return async (process: KillableProcess, record: string) => {
    await waitForRecord(process, record, 1 + ((turn * GOLDEN) % 1) * RECORD_BYTES)
    await Bun.sleep(random() * 4)
  }
}

/** Kills while the writer starts, perhaps while it puts the file in order. */
export function killDuringStart(random: () => number) {
  return () => Bun.sleep(random() * 150)
}

/** What the rules make of a history. */
export function modelAfter(
  accounts: readonly number[],
  history: readonly CompletedOperation[],
): ScanModel {
  const model = createScanModel(accounts)
  for (const { operation } of history) model.apply(operation)
  return model
}

/** Applies what was done to a model; tells the answer of the rules where the writer had another one. */
export function applyOperation(
  model: ScanModel,
  { operation, answer }: CompletedOperation,
): string[] {
  const ruled = model.apply(operation)
  if (answer === undefined || JSON.stringify(ruled) === JSON.stringify(answer)) return []
  return [`${JSON.stringify(operation)}: ${JSON.stringify(answer)}, not ${JSON.stringify(ruled)}`]
}
