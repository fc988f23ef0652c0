// A sync that is killed at any moment, as a power cut or an impatient operator does it. Nothing is
// simulated: real processes, real files, SIGKILL.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openDatabase } from '#store/db.ts'
import { sizedFor } from '../../support/chaos.ts'
import { randomFrom, SEED } from '../../support/random.ts'
import {
  type Contents,
  createUpstream,
  differences,
  readContents,
  writeMirror,
} from '../../support/sync/upstream-fixture.ts'

const SYNC = resolve(import.meta.dir, '../../../scripts/sync.ts')
const GAMES = 2
const SETS_A_GAME = 30
const CARDS_A_SET = 14
const DAYS = sizedFor(5, 8)
const KILLS = sizedFor(9, 34)
const ROOT = mkdtempSync(join(tmpdir(), 'cardstock-kill-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }), 60_000)

/** Set ids that no two games share. */
const SET_IDS = Array.from({ length: GAMES * SETS_A_GAME }, (_, index) => 101 + index)

const mirrorOf = (day: number) => join(ROOT, `mirror-${day}`)

/** A mirror a day: prices, names and cards change; unchanged files keep their times. */
function writeMirrors(): void {
  const upstream = createUpstream('2026-01-15T20:05:50Z')
  const random = randomFrom(20_260_115)
  for (let game = 0; game < GAMES; game++)
    upstream.addGame({ id: 500 + game, name: `Game ${game}` })
  for (const [index, setId] of SET_IDS.entries()) {
    const game = 500 + Math.floor(index / SETS_A_GAME)
    upstream.addSet(game, { id: setId, name: `Chapter ${index % SETS_A_GAME}` })
    for (let card = 0; card < CARDS_A_SET; card++) {
      upstream.addCard(setId, {
        id: setId * 1_000 + card,
        name: `Heron ${card} of the Marsh`,
        number: `${card + 1}/${CARDS_A_SET}`,
        prices: { Normal: cents(random, 60, 900), Holofoil: cents(random, 90, 4_000) },
      })
    }
  }
  for (let day = 0; day < DAYS; day++) {
    if (day > 0) {
      cpSync(mirrorOf(day - 1), mirrorOf(day), { recursive: true, preserveTimestamps: true })
    }
    for (const setId of SET_IDS) {
      // Some sets have a quiet day.
      if (random() < 0.2) continue
      for (const { productId } of upstream.group(setId).products) {
        if (random() < 0.5) upstream.setPrice(productId, 'Normal', cents(random, 60, 900))
      }
      if (random() < 0.3) {
        upstream.touch(setId)
        upstream.product(setId * 1_000 + 7).name = `Heron 7 of day ${day}`
        upstream.addCard(setId, { id: setId * 1_000 + 100 + day, name: `Latecomer ${day}` })
      }
    }
    // Pairs of days, a month apart: changes have something to be counted from, and months close.
    upstream.publish(day === 0 ? 0 : day % 2 === 1 ? 1 : 30)
    writeMirror(upstream.files, mirrorOf(day))
  }
}

function cents(random: () => number, least: number, most: number): number {
  return Math.floor(least + random() * (most - least)) / 100
}

function startSync(dataDir: string, day: number) {
  return Bun.spawn([process.execPath, '--no-env-file', SYNC], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      UPSTREAM_URL: pathToFileURL(mirrorOf(day)).href,
      LOG_LEVEL: 'error',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** Runs a sync to its end. */
async function sync(dataDir: string, day: number): Promise<void> {
  const run = startSync(dataDir, day)
  const [code, stderr] = [await run.exited, await new Response(run.stderr).text()]
  expect({ day, code, stderr: code === 0 ? '' : stderr }).toEqual({ day, code: 0, stderr: '' })
}

/** The content of a catalog, through its own connection, which also checks the file's integrity. */
function look(dataDir: string) {
  const db = openDatabase(join(dataDir, 'catalog.db'))
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    return readContents(db)
  } finally {
    db.close()
  }
}

/** A few bytes that stand for all that a catalog holds. */
function digestOf(contents: object): string {
  return Bun.hash(JSON.stringify(contents)).toString(36)
}

/** The progress of a run of this day before it was killed. */
function placeOf(dataDir: string, digest: string, old: string): string {
  if (digest !== old) return 'after publishing'
  const sets = stagedIn(dataDir)
  if (sets === 0) return 'before staging'
  return sets < SET_IDS.length ? 'while staging' : 'while publishing'
}

/** The number of staged sets. */
function stagedIn(dataDir: string): number {
  const staging = join(dataDir, 'staging')
  try {
    const files = readdirSync(staging).flatMap((folder) =>
      readdirSync(join(staging, folder)).map((name) => join(staging, folder, name)),
    )
    // A line a set; what stands behind the last line's end is not staged yet.
    return files.flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(1)).length
  } catch {
    // It vanished between two looks, or is not there yet.
    return 0
  }
}

type Run = ReturnType<typeof startSync>

/** Waits until so many sets are staged, or the run has ended. */
async function staged(dataDir: string, run: Run, sets: number): Promise<void> {
  while (run.exitCode === null && stagedIn(dataDir) < sets) await Bun.sleep(1)
}

/** Milliseconds of an uninterrupted run: to its first staged set, to its last, and to its end. */
async function measure(dataDir: string, day: number) {
  const start = performance.now()
  const run = startSync(dataDir, day)
  await staged(dataDir, run, 1)
  const first = performance.now() - start
  await staged(dataDir, run, SET_IDS.length)
  const last = performance.now() - start
  expect(await run.exited).toBe(0)
  return { first, last, end: performance.now() - start }
}

describe('a sync that is killed at any moment', () => {
  const random = randomFrom(SEED)
  const clean: { digest: string; contents: Contents }[] = []
  let spans = { first: 0, last: 0, end: 0 }

  beforeAll(async () => {
    writeMirrors()
    const dataDir = join(ROOT, 'clean')
    for (let day = 0; day < DAYS; day++) {
      if (day === 2) spans = await measure(dataDir, day)
      else await sync(dataDir, day)
      const contents = look(dataDir)
      clean.push({ digest: digestOf(contents), contents })
    }
    expect(new Set(clean.map(({ digest }) => digest)).size).toBe(DAYS)
  })

  test('leaves the old publication or the new one, and the next run ends as an uninterrupted one', async () => {
    const dataDir = join(ROOT, 'killed')
    const places = new Map<string, number>()
    let kills = 0
    let day = 0
    await sync(dataDir, day)
    // Goes on until a kill has hit each place: on a busy machine, staging is over before it is noticed.
    const isMissed = () => !PLACES.every((place) => places.has(place))
    while (kills < KILLS || (isMissed() && kills < KILLS_MAX)) {
      // The last day is killed until the kills are spent, from the day before each time.
      if (day < DAYS - 1) day++
      else day = await restart(dataDir)
      const [old, next] = [clean[day - 1]?.digest, clean[day]?.digest]
      let digest = old
      for (let tries = 0; tries < KILLS_A_DAY && digest === old; tries++) {
        const run = startSync(dataDir, day)
        await momentOf(kills, dataDir, run)
        run.kill('SIGKILL')
        const survived = (await run.exited) === 0
        digest = digestOf(look(dataDir))
        expect([old, next]).toContain(digest)
        if (survived) break
        kills++
        const place = placeOf(dataDir, digest, old ?? '')
        places.set(place, (places.get(place) ?? 0) + 1)
      }
      await sync(dataDir, day)
      expect(differences(look(dataDir), clean[day]?.contents ?? {})).toEqual([])
      expect(existsSync(join(dataDir, 'staging'))).toBe(false)
    }
    const counts = [...places].map(([place, times]) => `${times} ${place}`).sort()
    const { first, last, end } = Object.fromEntries(
      Object.entries(spans).map(([name, ms]) => [name, Math.round(ms)]),
    )
    console.info(
      `killed ${kills} times: ${counts.join(', ')}; unkilled, a run stages from ${first} to ${last} ms and ends at ${end} ms`,
    )
    expect(kills).toBeGreaterThanOrEqual(KILLS)
    expect([...places.keys()]).toEqual(expect.arrayContaining(PLACES))
  }, 120_000)

  /** Begins again from the first day. */
  async function restart(dataDir: string): Promise<number> {
    rmSync(dataDir, { recursive: true })
    await sync(dataDir, 0)
    return 1
  }

  /**
   * A third of the kills each at any time, while staging, and while publishing: spread evenly over
   * each.
   */
  async function momentOf(kill: number, dataDir: string, run: Run): Promise<void> {
    const { first, last, end } = spans
    const pause = (from: number, to: number) => Bun.sleep(from + random() * (to - from))
    // Sets that an earlier run staged are not staged again.
    if (kill % 3 === 1 || stagedIn(dataDir) === SET_IDS.length) return pause(0, end)
    if (kill % 3 === 0) {
      await staged(dataDir, run, stagedIn(dataDir) + 1)
      return pause(0, last - first)
    }
    await staged(dataDir, run, SET_IDS.length)
    return pause(0, end - last)
  }
})

/** Places that kills must hit. */
const PLACES = ['while staging', 'while publishing']

const KILLS_A_DAY = 3
const KILLS_MAX = 100
