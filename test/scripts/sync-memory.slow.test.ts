// A mirror cannot make a sync use much memory. The peak is that of a real process.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProcess } from '../support/process.ts'
import { OVERSIZED_FILES, type OversizedFile, startOversizedMirror } from './oversized-mirror.ts'

const KINDS = Object.keys(OVERSIZED_FILES).filter((kind) => kind !== 'honest') as OversizedFile[]
const MIB = 1024 * 1024

/** Maximum excess of the peak over that of a normal sync. */
const EXCESS_MAX = 200 * MIB

let ordinary: Sync
beforeAll(async () => {
  ordinary = await sync('honest')
})

type Sync = { peakBytes: number; report: { outcome: string; cards_read: number } }

/** Runs `bun run sync` against such a mirror. */
async function sync(kind: OversizedFile): Promise<Sync> {
  const mirror = startOversizedMirror(kind)
  const dataDir = mkdtempSync(join(tmpdir(), 'sync-memory-'))
  try {
    const env = { DATA_DIR: dataDir, UPSTREAM_URL: mirror.url, LOG_LEVEL: 'silent' }
    const syncing = startProcess('scripts/sync.ts', { env })
    let peakBytes = 0
    const timer = setInterval(() => {
      peakBytes = Math.max(peakBytes, readPeak(syncing.pid))
    }, 10)
    await syncing.exited
    clearInterval(timer)
    return { peakBytes, report: JSON.parse(syncing.stdout()) }
  } finally {
    await mirror.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Returns the peak resident memory of a process in bytes; 0 if it has ended. */
function readPeak(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

test('an ordinary sync is complete', () => {
  expect(ordinary.report).toMatchObject({ outcome: 'complete', cards_read: 4 })
  expect(ordinary.peakBytes).toBeGreaterThan(20 * MIB)
})

describe('a mirror that sends', () => {
  const peaks: string[] = []
  afterAll(() => {
    const base = Math.round(ordinary.peakBytes / MIB)
    console.info(`Peak of an ordinary sync: ${base} MiB. More for ${peaks.join(', ')}`)
  })

  test.each(KINDS)(
    '%s costs at most 200 MiB more',
    async (kind) => {
      const { peakBytes, report } = await sync(kind)
      const excess = peakBytes - ordinary.peakBytes
      peaks.push(`${kind}: ${Math.round(excess / MIB)}`)
      expect(excess).toBeLessThan(EXCESS_MAX)
      // The other sets are published anyway.
      expect(report.cards_read).toBeGreaterThanOrEqual(2)
    },
    60_000,
  )
})
