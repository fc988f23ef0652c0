// Syncs and imports that are killed at random moments, as by a power cut or an impatient operator: real processes,
// real files, SIGKILL. Each leaves the old publication or the new one, and the next run completes it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CHAOS_LIMIT_MS, CHAOS_SIZE, killRepeatedly, sizedFor } from '../support/chaos.ts'
import { findFreePort } from '../support/free-port.ts'
import { startProcess, type TestProcess } from '../support/process.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { QUIET } from '../support/server-process.ts'
import { guideRow } from '../support/sync/cardmarket-files.ts'
import { createCardmarketWorld } from '../support/sync/cardmarket-world.ts'
import {
  countStaged,
  logSize,
  publishedVersion,
  stopInPublication,
  waitUntilStaged,
} from '../support/sync/publication-kill.ts'
import { createUpstream, writeMirror } from '../support/sync/upstream-fixture.ts'
import { catalogChecksums } from '../support/table-checksums.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'cardstock-sync-kill-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }), 60_000)

const GAMES = 2
const SETS_A_GAME = sizedFor(12, 30)
const CARDS_A_SET = 14
const SETS = GAMES * SETS_A_GAME
/** Maximum number of kills before the first publication, each with what was staged so far. */
const KILLS_A_FOLDER = 3
/** A stop can come before or after the transaction. */
const TURNS_A_KILL_MAX = 40

const random = randomFrom(SEED)
const mirrorOf = (day: number) => join(FOLDER, `mirror-${day}`)

/** Writes three mirrors, the last a month after the others, so that there are changes and a month closes. */
function writeMirrors(): void {
  const upstream = createUpstream('2026-01-15T20:05:50Z')
  const draw = randomFrom(20_260_115)
  const dollars = (most: number) => Math.floor(60 + draw() * most) / 100
  for (let game = 0; game < GAMES; game++) {
    upstream.addGame({ id: 500 + game, name: `Game ${game}` })
    for (let set = 0; set < SETS_A_GAME; set++) {
      const id = 101 + game * SETS_A_GAME + set
      upstream.addSet(500 + game, { id, name: `Chapter ${set}` })
      for (let card = 0; card < CARDS_A_SET; card++) {
        upstream.addCard(id, {
          id: id * 1_000 + card,
          name: `Heron ${card} of the Marsh`,
          number: `${card + 1}/${CARDS_A_SET}`,
          prices: { Normal: dollars(900), Holofoil: dollars(4_000) },
        })
      }
    }
  }
  for (const [day, passed] of [0, 1, 30].entries()) {
    if (day > 0) {
      cpSync(mirrorOf(day - 1), mirrorOf(day), { recursive: true, preserveTimestamps: true })
      for (const { groupId } of upstream.games.flatMap(({ groups }) => groups)) {
        // Some sets do not change on some days.
        if (draw() < 0.2) continue
        for (const { productId } of upstream.group(groupId).products) {
          if (draw() < 0.5) upstream.setPrice(productId, 'Normal', dollars(900))
        }
        if (draw() > 0.3) continue
        upstream.touch(groupId)
        upstream.product(groupId * 1_000 + 7).name = `Heron 7 of day ${day}`
        upstream.addCard(groupId, { id: groupId * 1_000 + 100 + day, name: `Latecomer ${day}` })
      }
    }
    upstream.publish(passed)
    writeMirror(upstream.files, mirrorOf(day))
  }
}

const settingsOf = (dataDir: string, day: number) => ({
  ...QUIET,
  LOG_LEVEL: 'error',
  DATA_DIR: dataDir,
  UPSTREAM_URL: pathToFileURL(mirrorOf(day)).href,
})

const startSync = (dataDir: string, day = 2) =>
  startProcess('scripts/sync.ts', { env: settingsOf(dataDir, day) })

async function startServer(dataDir: string): Promise<TestProcess> {
  const server = { SYNC_ON_START: 'on', PORT: String(await findFreePort()) }
  return startProcess('src/main.ts', { env: { ...settingsOf(dataDir, 2), ...server } })
}

async function complete(run: TestProcess): Promise<void> {
  const code = await run.exited
  expect({ code, stderr: code === 0 ? '' : run.stderr() }).toEqual({ code: 0, stderr: '' })
}

/** Milliseconds of an uninterrupted run: to its first staged set, to the last, and to its end. */
type Spans = { first: number; last: number; end: number }

/** A program that publishes, with a prepared folder. */
type Publisher = {
  base: string
  start(dataDir: string): TestProcess | Promise<TestProcess>
  /** The command that completes a killed run. */
  next(dataDir: string): TestProcess
  /** Waits for the moment of a kill. @returns the proven position of the process */
  moment(run: TestProcess, dataDir: string, turn: number, spans: Spans): Promise<string | undefined>
  /** Tables that are published together, and tables that must equal those of an uninterrupted run; all by default. */
  tables?: { published: readonly string[]; completed: readonly string[] }
  kills: number
  /** Kills proven to be within the transaction. */
  killsProven: number
  /** Positions that kills must hit. */
  places: readonly string[]
}

const BASE = join(FOLDER, 'base')
const pause = (from: number, to: number) => Bun.sleep(from + random() * (to - from))

/** Stops a run at a random moment of its transaction; every third one when its log grows. */
async function stopWithin(run: TestProcess, dataDir: string, turn: number, { last, end }: Spans) {
  const [version, logBytes] = [publishedVersion(dataDir), logSize(dataDir)]
  await waitUntilStaged(run, dataDir, SETS)
  const until = performance.now() + random() * (end - last)
  const isDue = () => (turn % 3 === 2 ? logSize(dataDir) > logBytes : performance.now() >= until)
  const late = performance.now() + 10 * (end - last)
  while (!run.hasEnded() && !isDue() && performance.now() < late) await Bun.sleep(0)
  const place = await stopInPublication(run, dataDir, { version, logBytes })
  return place === 'not publishing' ? undefined : place
}

const PUBLISHERS: [name: string, open: () => Promise<Publisher>][] = [
  [
    'a sync of the command',
    async () => ({
      base: BASE,
      start: startSync,
      next: startSync,
      async moment(run, dataDir, turn, spans) {
        const { first, last, end } = spans
        // Sets staged by an earlier run are not staged again.
        if (turn % 4 === 0 || countStaged(dataDir) === SETS) await pause(0, end)
        else if (turn % 4 === 1) {
          await waitUntilStaged(run, dataDir, countStaged(dataDir) + 1)
          await pause(0, last - first)
        } else if (turn % 4 === 2) {
          await waitUntilStaged(run, dataDir, SETS)
          await pause(0, end - last)
        } else return stopWithin(run, dataDir, turn, spans)
        return undefined
      },
      kills: sizedFor(9, 80),
      killsProven: sizedFor(1, 30),
      places: ['while staging', 'while publishing'],
    }),
  ],
  [
    'a sync of the server',
    async () => ({
      base: BASE,
      start: startServer,
      next: startSync,
      moment: stopWithin,
      kills: 1,
      killsProven: sizedFor(1, 15),
      places: CHAOS_SIZE === 'full' ? ['writing rows'] : [],
    }),
  ],
  [
    'an import of Cardmarket',
    async () => {
      const world = await createCardmarketWorld()
      await world.import()
      const rows = world.rows.map(({ idProduct }) => guideRow(idProduct, 4 + (idProduct % 90), 6))
      world.write({ rows, createdAt: '2026-08-06T02:44:32+0200' })
      const [files, base] = [join(FOLDER, 'cardmarket'), join(FOLDER, 'cardmarket-base')]
      cpSync(world.root, files, { recursive: true })
      cpSync(world.dataDir, base, { recursive: true })
      world.close()
      const CARDMARKET_URL = pathToFileURL(files).href
      // Forced, because the files have another date than the test.
      const args = ['--source', 'cardmarket', '--force']
      const start = (dataDir: string) =>
        startProcess('scripts/sync.ts', { args, env: { DATA_DIR: dataDir, CARDMARKET_URL } })
      return {
        base,
        start,
        next: start,
        async moment(_run, _dataDir, _turn, { end }) {
          await pause(0.2 * end, end)
          return undefined
        },
        tables: {
          published: [
            'source_prices',
            'price_kinds',
            'price_sources',
            'history_hot',
            'publication',
          ],
          completed: ['source_prices', 'source_products', 'source_expansions', 'history_hot'],
        },
        kills: sizedFor(6, 30),
        killsProven: 0,
        places: [],
      }
    },
  ],
]

/** Measures an uninterrupted run on a copy of the folder. */
async function measure({ base, next }: Publisher, dataDir: string): Promise<Spans> {
  cpSync(base, dataDir, { recursive: true })
  const begun = performance.now()
  const run = next(dataDir)
  await waitUntilStaged(run, dataDir, 1)
  const first = performance.now() - begun
  await waitUntilStaged(run, dataDir, SETS)
  const last = performance.now() - begun
  await complete(run)
  return { first, last, end: performance.now() - begun }
}

beforeAll(async () => {
  writeMirrors()
  for (const day of [0, 1]) await complete(startSync(BASE, day))
}, CHAOS_LIMIT_MS)

test.each(PUBLISHERS)(
  '%s that is killed leaves the old publication or the new one, and the next run completes',
  async (name, open) => {
    const publisher = await open()
    const { base, tables } = publisher
    const select = (sums: Record<string, string>, names: readonly string[] = Object.keys(sums)) =>
      Object.fromEntries(names.map((table) => [table, sums[table]]))
    const published = (sums: Record<string, string>) => select(sums, tables?.published)
    const completed = (sums: Record<string, string>) => select(sums, tables?.completed)
    const before = catalogChecksums(base)
    const clean = join(FOLDER, 'clean')
    const spans = await measure(publisher, clean)
    const after = catalogChecksums(clean)
    rmSync(clean, { recursive: true })
    expect(before).toMatchObject({ integrity: 'ok', orphans: '[]' })
    expect(published(after)).not.toEqual(published(before))

    const dataDir = join(FOLDER, 'killed')
    const places = new Map<string, number>()
    const count = (isCounted: (place: string) => boolean) =>
      [...places].reduce((sum, [place, times]) => sum + (isCounted(place) ? times : 0), 0)
    const isDone = () =>
      count(() => true) >= publisher.kills &&
      count((place) => place.startsWith('writing')) >= publisher.killsProven &&
      publisher.places.every((place) => places.has(place))
    let killsOfFolder = 0
    let proven: string | undefined

    /** Returns the progress of a run before it was killed. */
    function placeOf(isNew: boolean): string {
      if (proven !== undefined) return proven
      if (isNew) return 'after publishing'
      const staged = countStaged(dataDir)
      if (staged === 0) return 'before staging'
      return staged < SETS ? 'while staging' : 'while publishing'
    }

    await killRepeatedly({
      isOver: isDone,
      start(turn) {
        expect(turn).toBeLessThan(
          TURNS_A_KILL_MAX * Math.max(publisher.kills, publisher.killsProven),
        )
        if (killsOfFolder === 0) cpSync(base, dataDir, { recursive: true })
        return publisher.start(dataDir)
      },
      async moment(run, turn) {
        proven = await publisher.moment(run, dataDir, turn, spans)
      },
      async check(wasKilled) {
        const found = catalogChecksums(dataDir)
        const isNew = Bun.deepEquals(published(found), published(after))
        expect(published(found)).toEqual(published(isNew ? after : before))
        expect(found).toMatchObject({ integrity: 'ok', orphans: '[]' })
        const place = placeOf(isNew)
        if (wasKilled) places.set(place, (places.get(place) ?? 0) + 1)
        killsOfFolder++
        if (wasKilled && !isNew && killsOfFolder < KILLS_A_FOLDER) return
        await complete(publisher.next(dataDir))
        expect(completed(catalogChecksums(dataDir))).toEqual(completed(after))
        expect(existsSync(join(dataDir, 'staging'))).toBe(false)
        rmSync(dataDir, { recursive: true })
        killsOfFolder = 0
      },
    })
    console.info(JSON.stringify({ kills_of: name, places: Object.fromEntries(places) }))
    rmSync(dataDir, { recursive: true, force: true })
  },
  CHAOS_LIMIT_MS,
)
