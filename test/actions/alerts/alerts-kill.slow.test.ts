// Alerts of syncs and of a server that are killed at any moment. Nothing is simulated: real
// processes, real files, SIGKILL. A model that knows only the prices computes the expected alerts.
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { CHAOS_LIMIT_MS, sizedFor, startKillable } from '../../support/chaos.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'
import { createUpstream, writeMirror } from '../../support/sync/upstream-fixture.ts'

const SYNC = resolve(import.meta.dir, '../../../scripts/sync.ts')
const RELAY = resolve(import.meta.dir, '../../support/alerts/relay-process.ts')
const DAYS = sizedFor(5, 60)
/** Further days follow until a kill has hit a publication, which takes a moment only. */
const DAYS_MAX = 10 * DAYS
const KILLS_A_DAY_MAX = 4
const WATCHES = 150
const SETS = Array.from({ length: 16 }, (_, index) => 101 + index)
const CARDS_A_SET = 12

const ROOT = mkdtempSync(join(tmpdir(), 'cardstock-alerts-'))
const DATA = join(ROOT, 'data')
afterAll(() => rmSync(ROOT, { recursive: true, force: true }), 60_000)

const random = randomFrom(SEED)
const cents = () => 100 + Math.floor(random() * 400)

type Watched = {
  id: string
  card_id: number
  condition: AlertCondition
  threshold: number
  isMet: boolean
  expectedPrices: number[]
}

test(
  `no alert of killed runs is lost or duplicated (seed ${SEED})`,
  async () => {
    const upstream = inventUpstream()
    const mirror = join(ROOT, 'mirror')
    writeMirror(upstream.files, mirror)
    prepareFiles(DATA)
    const first = await measured(startSync(mirror), { staged: 500, end: 1_000 })
    const watches = await withStores(({ ledger }) => addWatches(ledger))
    const ends = { early: 0, publishing: 0, late: 0, survived: 0 }
    let spans = first

    let days = 0
    for (; days < DAYS || (ends.publishing === 0 && days < DAYS_MAX); days++) {
      for (const setId of SETS) {
        for (const { productId } of upstream.group(setId).products) {
          if (random() < 0.7) upstream.setPrice(productId, 'Normal', cents() / 100)
        }
      }
      upstream.publish(1)
      writeMirror(upstream.files, mirror)
      for (const watch of watches) {
        judge(watch, Math.round((upstream.row(watch.card_id).marketPrice ?? 0) * 100))
      }
      let isPublished = false
      for (let kill = 0; kill < KILLS_A_DAY_MAX && !isPublished; kill++) {
        const before = await version()
        const relay = startKillable(RELAY, { dataDir: DATA })
        const run = startSync(mirror)
        // A quarter at any time, the others when everything is staged.
        if (random() < 0.25) await Bun.sleep(spans.staged * random())
        else {
          await staged(run)
          // Squared, because the publication is in the first part of this span.
          await Bun.sleep(1.2 * (spans.end - spans.staged) * random() ** 2)
        }
        run.kill('SIGKILL')
        const survived = (await run.exited) === 0
        // The relay looks every tenth of a second.
        await Bun.sleep(150 * random())
        await relay.kill()
        isPublished = (await version()) > before
        if (survived) ends.survived++
        else if (isPublished) ends.late++
        else ends[run.hasStaged() ? 'publishing' : 'early']++
      }
      spans = await measured(startSync(mirror), spans)
    }

    await withStores(async ({ catalog, ledger }) => {
      await createAlertRelay({ catalog, ledger, now: () => new Date() }).run()
      for (const { id, expectedPrices } of watches) {
        const { rows } = await ledger.messages.list(id, { limit: 1_000, offset: 0 })
        const alertedPrices = rows.map(({ body }) =>
          Math.round(JSON.parse(body).current_price * 100),
        )
        expect({ id, expectedPrices: alertedPrices.reverse() }).toEqual({ id, expectedPrices })
      }
    })
    const alerts = watches.flatMap(({ expectedPrices }) => expectedPrices).length
    const { early, publishing, late, survived } = ends
    console.info(
      `${alerts} alerts of ${days} days; syncs killed: ${early} while staging, ${publishing} while publishing, ${late} after it; ${survived} were too fast`,
    )
    // Random prices trigger about one alert per webhook in six days.
    expect(alerts).toBeGreaterThan((WATCHES * days) / 10)
    expect(publishing).toBeGreaterThan(0)
  },
  CHAOS_LIMIT_MS,
)

function inventUpstream() {
  const upstream = createUpstream('2026-01-15T20:05:50Z')
  for (const id of [500, 501]) upstream.addGame({ id, name: `Game ${id}` })
  for (const [index, id] of SETS.entries()) {
    upstream.addSet(500 + (index % 2), { id, name: `Chapter ${id}` })
    for (let card = 0; card < CARDS_A_SET; card++) {
      upstream.addCard(id, { id: id * 100 + card, prices: { Normal: cents() / 100 } })
    }
  }
  upstream.publish()
  return upstream
}

async function addWatches(ledger: Ledger): Promise<Watched[]> {
  const context = { now: new Date(), address: undefined }
  const owner = { email: 'owner@watches.example', password_hash: 'none', tier: 'pro' } as const
  const account_id = (await ledger.accounts.create(owner, context))?.id ?? 0
  const watches: Watched[] = []
  for (let index = 0; index < WATCHES; index++) {
    const card_id = pick(random, SETS) * 100 + Math.floor(random() * CARDS_A_SET)
    const condition = pick(random, ['above', 'below'] as const)
    const wanted = { id: `watch-${index}`, card_id, condition, threshold: cents() }
    const place = { account_id, url: 'https://shop.example/', printing: null }
    const webhook = { ...wanted, ...place, secret: new Uint8Array(4) }
    await ledger.webhooks.create(webhook, WATCHES, context)
    watches.push({ ...wanted, isMet: false, expectedPrices: [] })
  }
  return watches
}

function judge(watch: Watched, price: number): void {
  const { condition, threshold, isMet } = watch
  watch.isMet = condition === 'above' ? price >= threshold : price <= threshold
  if (watch.isMet && !isMet) watch.expectedPrices.push(price)
}

function startSync(mirror: string) {
  const child = Bun.spawn([process.execPath, '--no-env-file', SYNC], {
    env: {
      ...process.env,
      DATA_DIR: DATA,
      UPSTREAM_URL: pathToFileURL(mirror).href,
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  const reading = readAll(child.stderr, (text) => {
    output += text
  })
  return {
    kill: child.kill.bind(child),
    exited: child.exited,
    /** True once it has read every set, and publishes. */
    hasStaged: () => output.includes(`"done":${SETS.length}`),
    output: async () => {
      await reading
      return output
    },
  }
}

type Run = ReturnType<typeof startSync>

async function readAll(stream: ReadableStream<Uint8Array>, take: (text: string) => void) {
  const decoder = new TextDecoder()
  for await (const bytes of stream) take(decoder.decode(bytes))
}

/** Waits until a run publishes, or has ended. */
async function staged(run: Run): Promise<void> {
  let hasEnded = false
  run.exited.then(() => {
    hasEnded = true
  })
  while (!hasEnded && !run.hasStaged()) await Bun.sleep(1)
}

/** Lets a run end; where it published, how long it took to the moment when all was staged, and to its end. */
async function measured(run: Run, otherwise: { staged: number; end: number }) {
  const started = performance.now()
  await staged(run)
  const all = performance.now() - started
  const code = await run.exited
  const output = await run.output()
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
  return run.hasStaged() ? { staged: all, end: performance.now() - started } : otherwise
}

function version(): Promise<number> {
  return withStores(async ({ catalog }) => catalog.publication.getCurrent().version)
}

async function withStores<T>(use: (stores: { catalog: Catalog; ledger: Ledger }) => Promise<T>) {
  const catalog = openCatalog(DATA, (stored) => stored)
  const ledger = openLedger(DATA)
  try {
    return await use({ catalog, ledger })
  } finally {
    catalog.close()
    ledger.close()
  }
}
