/**
 * The harness of kill tests and chaos runs: their size, processes to kill, the kills, and records of these processes
 * outside of the files under test.
 */

import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { startProcess } from './process.ts'

const SIZES = ['short', 'full'] as const

/** `short` in `bun run check`, `full` in `bun run chaos`. */
export const CHAOS_SIZE = sizeNamed(process.env.CARDSTOCK_CHAOS || 'short')

function sizeNamed(name: string): (typeof SIZES)[number] {
  const size = SIZES.find((known) => known === name)
  if (size === undefined) throw new Error(`CARDSTOCK_CHAOS is "${name}": give short or full.`)
  return size
}

/** Returns the first figure in a short run, the second in a full run. */
export function sizedFor(short: number, full: number): number {
  return CHAOS_SIZE === 'full' ? full : short
}

/** The maximum duration of one chaos test, in milliseconds. */
export const CHAOS_LIMIT_MS = sizedFor(300_000, 60 * 60_000)

/** Starts a test process that works until it is killed; its first argument is `task` as JSON. */
export function startKillable(script: string, task: object) {
  const worker = startProcess(script, { args: [JSON.stringify(task)] })
  return {
    ...worker,
    /** Kills it without waiting for its end; `kill` is still called afterwards. */
    killNow: (): void => worker.signal('SIGKILL'),
    /** @throws Error with its output if it had already ended by itself */
    async kill(): Promise<boolean> {
      if (await worker.kill()) return true
      throw new Error(`${script} ended by itself: ${worker.output()}`)
    },
  }
}

export type KillableProcess = ReturnType<typeof startKillable>

/** A kill test: the work, the moments of the kills, and the expected state afterwards. */
type Kills<Started> = {
  /** @param turn number of the kill, from 0 */
  isOver(turn: number): boolean
  start(turn: number): Started | Promise<Started>
  /** Waits for the moment of the kill. */
  moment(process: Started, turn: number): Promise<unknown>
  /** Checks the remaining data. @param wasKilled false if the process had already ended */
  check(wasKilled: boolean, turn: number): unknown
}

/** Repeatedly starts a process and kills it at a moment of its work. @returns the number of kills */
export async function killRepeatedly<Started extends { kill(): Promise<boolean> }>({
  isOver,
  start,
  moment,
  check,
}: Kills<Started>): Promise<number> {
  let kills = 0
  for (let turn = 0; !isOver(turn); turn++) {
    const process = await start(turn)
    let wasKilled = false
    try {
      await moment(process, turn)
    } finally {
      wasKilled = await process.kill()
    }
    if (wasKilled) kills++
    await check(wasKilled, turn)
  }
  return kills
}

/** Waits until the record of a process has this many bytes, or the process has ended. */
export async function waitForRecord(
  process: KillableProcess,
  record: string,
  bytes: number,
): Promise<void> {
  while (!process.hasEnded() && !(existsSync(record) && statSync(record).size >= bytes)) {
    await Bun.sleep(1)
  }
}

/** Opens a file for JSON lines that survive the writer's death. */
export function openRecordFile(path: string) {
  const file = openSync(path, 'a')
  return {
    append: (line: object): void => void writeSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  }
}

/** Returns the lines of a record. The last line has no end if the kill interrupted it, and is omitted. */
export function readRecordFile(path: string): unknown[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
