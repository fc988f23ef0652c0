/** Runs a writer on a scan ledger, kills it repeatedly, and returns the recorded history. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import {
  type KillableProcess,
  readRecordFile,
  sizedFor,
  startKillable,
  waitForRecord,
} from '../../support/chaos.ts'
import {
  createScanModel,
  type ScanModel,
  type ScanOperation,
  type ScanOutcome,
} from './scan-model.ts'
import type { ScanLine, ScanTask } from './scan-writer.ts'
import type { LogPosition } from './write-ahead-log.ts'

const WRITER = 'test/chaos/scans/scan-writer.ts'
const ACCOUNTS = 4
const START = Date.parse('2026-11-15T21:30:00Z')
const SECOND_MS = 1_000

/** A completed operation; answer and position are undefined if they were not recorded. */
export type CompletedOperation = {
  operation: ScanOperation
  answer: ScanOutcome | undefined
  position: LogPosition | undefined
}

/** Recorded history of one writer process: completed operations, and the one during which it was killed. */
export type WriterHistory = { done: CompletedOperation[]; open: ScanOperation | undefined }

export type ScanRun = Awaited<ReturnType<typeof createScanRun>>

export async function createScanRun(seed: number) {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-scans-'))
  const folder = join(root, 'data')
  prepareFiles(folder)
  const accounts = await addAccounts(folder)
  let lives = 0
  let from = START
  /** Unconfirmed purchases to repeat. */
  const again = new Map<string, ScanOperation>()

  return {
    root,
    folder,
    database: join(folder, 'ledger.db'),
    accounts,
    /** Runs the writer until it is killed. Returns its history. */
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
      const killable = startKillable(WRITER, task satisfies ScanTask)
      await kill(killable, record).finally(killable.kill)
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

/** Pairs starts with completions. The writer runs one operation at a time. */
function writerHistory(lines: readonly ScanLine[]): WriterHistory {
  const done: CompletedOperation[] = []
  let open: ScanOperation | undefined
  for (const line of lines) {
    if ('begin' in line) open = line.begin
    else if (open !== undefined) {
      done.push({ operation: open, answer: line.answer, position: line.place })
      open = undefined
    }
  }
  return { done, open }
}

/** Maximum size of a record before the kill: 150 operations or 600. */
const RECORD_BYTES = sizedFor(32, 128) * 1_024
/** Golden ratio: its multiples are spread evenly. */
const GOLDEN = 0.618034

/** Kills the writer at a random moment of its work. */
export function killDuringWork(random: () => number, turn: number) {
  return async (process: KillableProcess, record: string) => {
    await waitForRecord(process, record, 1 + ((turn * GOLDEN) % 1) * RECORD_BYTES)
    await Bun.sleep(random() * 4)
  }
}

/** Kills the writer while it starts or recovers the file. */
export function killDuringStart(random: () => number) {
  return () => Bun.sleep(random() * 150)
}

/** Applies a history to a new model. */
export function modelAfter(
  accounts: readonly number[],
  history: readonly CompletedOperation[],
): ScanModel {
  const model = createScanModel(accounts)
  for (const { operation } of history) model.apply(operation)
  return model
}

/** Applies an operation to a model. Returns a message if the recorded answer differs. */
export function applyOperation(
  model: ScanModel,
  { operation, answer }: CompletedOperation,
): string[] {
  const expected = model.apply(operation)
  if (answer === undefined || JSON.stringify(expected) === JSON.stringify(answer)) return []
  return [
    `${JSON.stringify(operation)}: ${JSON.stringify(answer)}, expected ${JSON.stringify(expected)}`,
  ]
}
