/**
 * Shared by chaos runs: their size, processes to kill, and records of what these processes
 * did, which lie outside the files that are judged by them.
 */

import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs'
import { atEnd } from './end-of-tests.ts'

const SIZES = ['short', 'full'] as const

/** `short` within `bun run check`, `full` by `bun run chaos`. */
export const CHAOS_SIZE = sizeNamed(process.env.CARDSTOCK_CHAOS || 'short')

function sizeNamed(name: string): (typeof SIZES)[number] {
  const size = SIZES.find((known) => known === name)
  if (size === undefined) throw new Error(`CARDSTOCK_CHAOS is "${name}": give short or full.`)
  return size
}

/** The one of two figures that belongs to the size of this run. */
export function sizedFor(short: number, full: number): number {
  return CHAOS_SIZE === 'full' ? full : short
}

/** The maximum duration of one chaos test, in milliseconds. */
export const CHAOS_LIMIT_MS = sizedFor(300_000, 60 * 60_000)

const running = new Set<Bun.Subprocess>()
atEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process that works until it is killed; `task` reaches it as JSON, in its first argument. */
export function startKillable(script: string, task: object) {
  const child = Bun.spawn([process.execPath, '--no-env-file', script, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  return {
    hasEnded: () => child.exitCode !== null,
    /** Kills it without waiting for its end; `kill` is called then, too. */
    killNow: (): void => child.kill('SIGKILL'),
    /**
     * Kills it as a power cut does: nothing of it runs any more.
     *
     * @throws where it had ended by itself
     */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await child.exited
      running.delete(child)
      if (child.signalCode !== 'SIGKILL') {
        throw new Error(`${script} ended by itself, with ${child.exitCode ?? child.signalCode}`)
      }
    },
  }
}

export type KillableProcess = ReturnType<typeof startKillable>

/** Waits until a process's record has so many bytes, or the process has ended. */
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

/** The lines of a record. What its writer was killed over has no end, and was not written. */
export function readRecordFile(path: string): unknown[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
