// Kills that are known to hit the publishing transaction, of the command and of the thread of a server. The
// process is stopped first: while it stands still, its write lock proves where it is.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHAOS_LIMIT_MS, CHAOS_SIZE, sizedFor } from '../support/chaos.ts'
import { findFreePort } from '../support/free-port.ts'
import { randomFrom, SEED } from '../support/random.ts'
import {
  catalogChecksums,
  logSize,
  publishedVersion,
  stopInPublication,
  waitUntilStaged,
} from '../support/sync/publication-kill.ts'
import { createUpstream, writeMirror } from '../support/sync/upstream-fixture.ts'

const ROOT = resolve(import.meta.dir, '../..')
const FOLDER = mkdtempSync(join(tmpdir(), 'cardstock-publication-kill-'))
const BASE = join(FOLDER, 'base')
const SETS = sizedFor(8, 40)
const CARDS_PER_SET = sizedFor(20, 40)
const KILLS = { command: sizedFor(1, 45), server: sizedFor(1, 15) }
/** A stop can come before or after the transaction. */
const STOPS_PER_KILL_MAX = 40

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const mirrorOf = (day: number) => join(FOLDER, `mirror-${day}`)
const random = randomFrom(SEED)

/** Writes the mirror of two days, the second with other prices, names and cards. */
function writeMirrors(): void {
  const upstream = createUpstream('2026-01-15T20:05:50Z')
  upstream.addGame({ id: 500, name: 'Harbour & Haven' })
  for (let set = 0; set < SETS; set++) {
    const id = 101 + set
    upstream.addSet(500, { id, name: `Chapter ${set}` })
    for (let card = 0; card < CARDS_PER_SET; card++) {
      const prices = { Normal: 2 + card / 10, Holofoil: 5 + card / 10 }
      upstream.addCard(id, { id: id * 1_000 + card, name: `Heron ${card} of the Marsh`, prices })
    }
  }
  upstream.publish()
  writeMirror(upstream.files, mirrorOf(0))
  for (const { groupId } of upstream.games.flatMap(({ groups }) => groups)) {
    for (const { productId } of upstream.group(groupId).products) {
      upstream.setPrice(productId, 'Normal', 2.5 + (productId % 1_000) / 10)
    }
    upstream.touch(groupId)
    upstream.product(groupId * 1_000 + 7).name = 'Heron 7 of the Second Day'
    upstream.addCard(groupId, { id: groupId * 1_000 + 500, name: 'Latecomer' })
  }
  upstream.publish(1)
  writeMirror(upstream.files, mirrorOf(1))
}

const COMMANDS = { command: 'scripts/sync.ts', server: 'src/main.ts' } as const
type Publisher = keyof typeof COMMANDS

async function startPublisher(publisher: Publisher, dataDir: string, day: number) {
  const off = { INDEX_PICTURES: 'off', BULK_FILES: 'off', BACKUP_DIR: 'off', IDENTIFY_WORKERS: '0' }
  const server = { ...off, SYNC_ON_START: 'on', PORT: String(await findFreePort()) }
  return Bun.spawn([process.execPath, '--no-env-file', join(ROOT, COMMANDS[publisher])], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      UPSTREAM_URL: pathToFileURL(mirrorOf(day)).href,
      ...server,
    },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
}

/** Runs a sync to its end. @returns milliseconds from the last staged set to the end */
async function sync(dataDir: string, day: number): Promise<number> {
  const run = await startPublisher('command', dataDir, day)
  await waitUntilStaged(run, dataDir, SETS)
  const started = performance.now()
  expect(await run.exited).toBe(0)
  return performance.now() - started
}

describe('a publication that is killed', () => {
  let before: Record<string, string> = {}
  let after: Record<string, string> = {}
  let version = 0
  let publishMs = 0

  beforeAll(async () => {
    writeMirrors()
    await sync(BASE, 0)
    before = catalogChecksums(BASE)
    version = publishedVersion(BASE)
    const clean = join(FOLDER, 'clean')
    cpSync(BASE, clean, { recursive: true })
    publishMs = await sync(clean, 1)
    after = catalogChecksums(clean)
    expect(before.integrity).toBe('ok')
    expect(after).not.toEqual(before)
  })

  test.each(['command', 'server'] as const)(
    'by the %s leaves all tables as they were or as they become, and the next run completes',
    async (publisher) => {
      const places = { 'writing rows': 0, 'writing the log': 0, 'not publishing': 0 }
      const states = { old: 0, new: 0 }
      const kills = () => places['writing rows'] + places['writing the log']
      for (let runs = 0; kills() < KILLS[publisher]; runs++) {
        expect(runs).toBeLessThan(KILLS[publisher] * STOPS_PER_KILL_MAX)
        const dataDir = join(FOLDER, `run-${publisher}`)
        rmSync(dataDir, { recursive: true, force: true })
        cpSync(BASE, dataDir, { recursive: true })
        const publisherProcess = await startPublisher(publisher, dataDir, 1)
        await waitUntilStaged(publisherProcess, dataDir, SETS)
        const place = await stopAtRandom(publisherProcess, dataDir, runs)
        publisherProcess.kill('SIGKILL')
        await publisherProcess.exited
        places[place]++
        const found = catalogChecksums(dataDir)
        const isNew = publishedVersion(dataDir) !== version
        expect(found).toEqual(isNew ? after : before)
        if (place === 'not publishing') continue
        states[isNew ? 'new' : 'old']++
        await sync(dataDir, 1)
        expect(catalogChecksums(dataDir)).toEqual(after)
      }
      console.info(
        JSON.stringify({ publication_kills: { publisher, kills: kills(), places, states } }),
      )
      if (CHAOS_SIZE === 'full') expect(Math.min(places['writing rows'])).toBeGreaterThan(0)
    },
    CHAOS_LIMIT_MS,
  )

  /** Stops a publisher at a random moment of its transaction; every third one when its log grows. */
  async function stopAtRandom(
    publisherProcess: Awaited<ReturnType<typeof startPublisher>>,
    dataDir: string,
    run: number,
  ) {
    const logBytes = logSize(dataDir)
    const until = performance.now() + random() * publishMs
    const isDue = () => (run % 3 === 2 ? logSize(dataDir) > logBytes : performance.now() >= until)
    const late = performance.now() + 10 * publishMs
    while (publisherProcess.exitCode === null && !isDue() && performance.now() < late)
      await Bun.sleep(0)
    return stopInPublication(publisherProcess, dataDir, { version, logBytes })
  }
})
