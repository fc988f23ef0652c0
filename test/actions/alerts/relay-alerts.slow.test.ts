// Alerts between publication and ledger: the server stops, one of the two files fails, or one of them is replaced.
import { describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import { syncCatalog } from '#actions/sync/sync-catalog.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { DELIVERY_RETENTION_MS } from '#rules/operations/retention.ts'
import { openDatabase } from '#store/db.ts'
import { adoptFile } from '#store/files/installation.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { type AlertWorld, createAlertWorld } from '../../support/alerts/alert-world.ts'
import { closeAfterEach } from '../../support/closers.ts'
import {
  createWarningLog,
  smallUpstream,
  writeMirror,
} from '../../support/sync/upstream-fixture.ts'

const BOX = 113

const closers = closeAfterEach()

async function openWorld(): Promise<AlertWorld> {
  const world = await createAlertWorld()
  closers.push(world.close)
  await world.sync()
  return world
}

/** Number of webhooks that fire at the next publication. */
async function watchTimes(world: AlertWorld, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await world.addWebhook({ card_id: BOX, condition: 'above', threshold: 100 + index })
  }
}

/** Opens a relay whose ledger is observed and fails on demand. */
function openEyedRelay({ catalog, ledger, deps }: AlertWorld) {
  const batches: number[] = []
  const offsets: number[] = []
  const spoil: { before: () => void } = { before: () => {} }
  const eyed = {
    ...ledger,
    relayedAlerts: {
      ...ledger.relayedAlerts,
      async relay(...given: Parameters<Ledger['relayedAlerts']['relay']>): Promise<number> {
        spoil.before()
        batches.push(given[0].length)
        return ledger.relayedAlerts.relay(...given)
      },
    },
  }
  const outbox = {
    listAfter(place: number, limit: number) {
      offsets.push(place)
      return catalog.alerts.outbox.listAfter(place, limit)
    },
  }
  const relay = createAlertRelay({
    catalog: { ...catalog, alerts: { ...catalog.alerts, outbox } },
    ledger: eyed,
    now: deps.now,
  })
  return { relay, batches, offsets, spoil }
}

describe('the relay', () => {
  test('copies the alerts of a publication once, and then does not read the file', async () => {
    const world = await openWorld()
    await watchTimes(world, 3)
    const { relay, offsets } = openEyedRelay(world)
    expect(await relay.run()).toBe(0)
    expect(offsets).toEqual([0])
    await world.day()
    expect(await relay.run()).toBe(3)
    expect(offsets).toEqual([0, 0, 3])
    expect(await relay.run()).toBe(0)
    expect(offsets).toEqual([0, 0, 3])
    await world.day()
    // The publication has removed the copied alerts, so there is nothing to read.
    expect(await relay.run()).toBe(0)
    expect(offsets).toEqual([0, 0, 3, 0])
  })

  test('makes them due at once, for the host of each, with the stored body', async () => {
    const world = await openWorld()
    await watchTimes(world, 1)
    await world.day()
    const [left] = world.catalog.alerts.outbox.listAfter(0, 10)
    await world.relay()
    const { rows } = await world.ledger.messages.list(left?.rule_id ?? '', { limit: 10, offset: 0 })
    expect(rows).toEqual([
      expect.objectContaining({
        id: left?.id,
        body: left?.body,
        host: 'shop.example',
        kind: 'alert',
        state: 'pending',
        next_at: left?.created_at,
        created_at: left?.created_at,
      }),
    ])
  })

  test('copies the rest once a failed ledger works again', async () => {
    const world = await openWorld()
    await watchTimes(world, 600)
    await world.day()
    const { relay, batches, offsets, spoil } = openEyedRelay(world)
    let calls = 0
    spoil.before = () => {
      if (++calls === 2) throw new Error('the disk is full')
    }
    await expect(relay.run()).rejects.toThrow('the disk is full')
    expect(offsets).toEqual([0, 250])
    expect(await relay.run()).toBe(350)
    expect(offsets).toEqual([0, 250, 0, 250, 500, 600])
    expect(batches).toEqual([250, 250, 250, 100])
  })

  test('copies alerts that are published during a copy afterwards', async () => {
    const world = await openWorld()
    await watchTimes(world, 1)
    await world.day()
    const { relay, spoil } = openEyedRelay(world)
    let late: Promise<unknown> | undefined
    spoil.before = () => {
      late ??= watchTimes(world, 2).then(() => world.day())
    }
    expect(await relay.run()).toBe(1)
    await late
    expect(await relay.run()).toBe(2)
  })

  test('two servers on one folder copy every alert once', async () => {
    const world = await openWorld()
    await watchTimes(world, 1_200)
    await world.day()
    const other = openLedger(world.dataDir)
    closers.push(() => other.close())
    const { catalog, ledger, deps } = world
    const relays = [ledger, other].map((at) =>
      createAlertRelay({ catalog, ledger: at, now: deps.now }).run(),
    )
    const [mine = 0, theirs = 0] = await Promise.all(relays)
    expect(mine + theirs).toBe(1_200)
  })

  test('also makes alerts from a clock that was ahead due immediately', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ card_id: BOX, condition: 'above', threshold: 100 })
    await world.day()
    const now = new Date(world.deps.now().getTime() - 3_600_000)
    const { catalog, ledger } = world
    expect(await createAlertRelay({ catalog, ledger, now: () => now }).run()).toBe(1)
    const { heads } = await ledger.messages.listDue(now, {
      after: { next_at: 0, id: '' },
      limit: 10,
    })
    expect(heads).toMatchObject([{ receiver_id: id }])
  })

  test('starts over if the catalog is restored while the server runs', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ card_id: BOX, condition: 'above', threshold: 15_000 })
    const older = join(world.dataDir, 'older.db')
    await world.db.backup(older)
    await world.pricesOf(BOX, 'Normal', [160, 140, 161])
    // Copies page by page into the open file, as SQLite's command line restores.
    const source = openDatabase(older, { readonly: true })
    await source.backup(join(world.dataDir, 'catalog.db'))
    source.close()
    world.catalog.publication.refresh()
    expect(await world.relay()).toBe(0)
    await world.pricesOf(BOX, 'Normal', [170])
    expect(await world.prices(id)).toEqual([160, 161, 170])
  })

  test("does not repeat alerts that are older than the ledger's records", async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ card_id: BOX, condition: 'above', threshold: 100 })
    await world.day()
    expect(await world.relay()).toBe(1)
    const later = new Date(world.deps.now().getTime() + DELIVERY_RETENTION_MS + 1)
    await world.ledger.messages.deleteBefore(new Date(later.getTime() - DELIVERY_RETENTION_MS), 100)
    expect(await world.alerts(id)).toEqual([])
    world.clock.now = later
    world.restartRelay()
    expect(await world.relay()).toBe(0)
    expect(await world.alerts(id)).toEqual([])
  })
})

/** Opens a data folder whose files are closed after each step, as if every process had been killed. */
function openFiles() {
  const root = mkdtempSync(join(tmpdir(), 'cardstock-restored-'))
  closers.push(() => rmSync(root, { recursive: true, force: true }))
  const upstream = smallUpstream()
  const dataDir = join(root, 'data')
  const now = () => new Date(upstream.publishedAt().getTime() + 3_600_000)
  const auditContext = () => ({ now: now(), address: undefined })

  async function withStores<T>(run: (stores: { catalog: Catalog; ledger: Ledger }) => Promise<T>) {
    prepareFiles(dataDir)
    const catalog = openCatalog(dataDir, (stored) => stored)
    const ledger = openLedger(dataDir)
    try {
      return await run({ catalog, ledger })
    } finally {
      catalog.close()
      ledger.close()
    }
  }

  return {
    /** Syncs a price of the box this many days after the last sync; without one, the same price again. */
    async sync(price: number, days = 1): Promise<number> {
      upstream.setPrice(BOX, 'Normal', price)
      upstream.publish(days)
      writeMirror(upstream.files, join(root, 'mirror'))
      prepareFiles(dataDir)
      const catalogWriter = openCatalogWriter(dataDir)
      const upstreamUrl = pathToFileURL(join(root, 'mirror')).href
      const marketplace = openMarketplace({ upstreamUrl, userAgent: 'Cardstock test' })
      const report = await syncCatalog(
        { dataDir, catalogWriter, marketplace, log: createWarningLog([]), now },
        {},
      )
      catalogWriter.close()
      expect(report.outcome).toBe('complete')
      return report.alerts
    },
    /** Starts the server, copies the alerts, and kills it. */
    relay: () =>
      withStores(({ catalog, ledger }) => createAlertRelay({ catalog, ledger, now }).run()),
    watch: (id: string, threshold: number) =>
      withStores(async ({ ledger }) => {
        const email = `${id}@watches.example`
        const owner = { email, password_hash: 'none', tier: 'pro' } as const
        const account_id = (await ledger.accounts.create(owner, auditContext()))?.id ?? 0
        const at = { card_id: BOX, printing: null, condition: 'above', threshold } as const
        const webhook = { id, account_id, url: 'https://shop.example/', ...at }
        await ledger.webhooks.create({ ...webhook, secret: new Uint8Array(4) }, 10, auditContext())
      }),
    /** Prices that were or will be delivered, by message id. */
    pricesById: (id: string) =>
      withStores(async ({ ledger }) => {
        const { rows } = await ledger.messages.list(id, { limit: 100, offset: 0 })
        return new Map(rows.reverse().map(({ id, body }) => [id, JSON.parse(body).current_price]))
      }),
    /** Copies one of the two files, as a backup does. */
    backUp(file: string): void {
      mkdirSync(join(root, 'backup'), { recursive: true })
      copyFileSync(join(dataDir, file), join(root, 'backup', file))
    },
    restore(file: string): void {
      this.remove(file)
      copyFileSync(join(root, 'backup', file), join(dataDir, file))
    },
    /** Deletes a database and accepts the loss, as an operator can. */
    lose(file: 'catalog.db' | 'ledger.db'): void {
      this.remove(file)
      adoptFile(dataDir, file)
    },
    remove(file: string): void {
      for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, file + end), { force: true })
    },
  }
}

/** A box of 120 dollars, and a webhook that fires at 150. */
async function openWatched() {
  const files = openFiles()
  await files.sync(120)
  await files.watch('a', 15_000)
  return files
}

const values = (prices: Map<string, number>) => [...prices.values()]

describe('a catalog that is deleted and synced again', () => {
  test('repeats alerts for conditions that are met, and only those', async () => {
    const files = await openWatched()
    expect(await files.sync(160)).toBe(1)
    await files.relay()
    files.lose('catalog.db')
    expect(await files.sync(170)).toBe(1)
    await files.relay()
    expect(values(await files.pricesById('a'))).toEqual([160, 170])
    files.lose('catalog.db')
    expect(await files.sync(140)).toBe(0)
    await files.relay()
    expect(values(await files.pricesById('a'))).toEqual([160, 170])
  })

  test.each([
    ['repeats it if its condition is still met', 160, [160]],
    ['does not repeat it if its condition is no longer met', 140, []],
  ])('loses an alert that was not copied, and %s', async (_, price, repeated) => {
    const files = await openWatched()
    expect(await files.sync(160)).toBe(1)
    files.lose('catalog.db')
    expect(await files.sync(price, 0)).toBe(repeated.length)
    await files.relay()
    expect(values(await files.pricesById('a'))).toEqual(repeated)
  })

  test('starts a new sequence, which a starting server accepts', async () => {
    const files = await openWatched()
    for (const price of [160, 140, 161, 141, 162]) await files.sync(price)
    expect(await files.relay()).toBe(3)
    files.lose('catalog.db')
    await files.sync(163)
    expect(await files.relay()).toBe(1)
    expect(values(await files.pricesById('a'))).toEqual([160, 161, 162, 163])
  })
})

describe('a catalog that is restored from an older backup', () => {
  test('repeats under another id the alerts after the backup, and loses none', async () => {
    const files = await openWatched()
    await files.sync(130)
    files.backUp('catalog.db')
    expect(await files.sync(160)).toBe(1)
    await files.relay()
    files.restore('catalog.db')
    expect(await files.relay()).toBe(0)
    expect(await files.sync(161)).toBe(1)
    await files.relay()
    expect(values(await files.pricesById('a'))).toEqual([160, 161])
  })

  test('does not repeat alerts that were waiting to be copied', async () => {
    const files = await openWatched()
    expect(await files.sync(160)).toBe(1)
    files.backUp('catalog.db')
    await files.relay()
    await files.sync(165)
    files.restore('catalog.db')
    expect(await files.relay()).toBe(0)
    expect(await files.sync(166)).toBe(0)
    expect(await files.relay()).toBe(0)
    expect(values(await files.pricesById('a'))).toEqual([160])
  })
})

describe('a ledger that is restored from an older backup', () => {
  test('receives alerts that no publication has removed yet again, with the same id', async () => {
    const files = await openWatched()
    files.backUp('ledger.db')
    await files.sync(160)
    await files.relay()
    const before = await files.pricesById('a')
    files.restore('ledger.db')
    expect(await files.relay()).toBe(1)
    expect(await files.pricesById('a')).toEqual(before)
    expect(before.size).toBe(1)
  })

  test('loses alerts that a later publication removed: their webhook fires at the next crossing', async () => {
    const files = await openWatched()
    files.backUp('ledger.db')
    await files.sync(160)
    await files.relay()
    await files.sync(161)
    files.restore('ledger.db')
    expect(await files.relay()).toBe(0)
    expect(values(await files.pricesById('a'))).toEqual([])
    await files.sync(140)
    await files.sync(162)
    await files.relay()
    expect(values(await files.pricesById('a'))).toEqual([162])
  })

  test('that lacks a webhook makes the catalog forget it', async () => {
    const files = openFiles()
    await files.sync(120)
    files.backUp('ledger.db')
    await files.watch('a', 15_000)
    expect(await files.sync(160)).toBe(1)
    files.restore('ledger.db')
    expect(await files.relay()).toBe(0)
    // The owner creates it again.
    await files.watch('b', 15_000)
    expect(await files.sync(161)).toBe(1)
    await files.relay()
    expect([values(await files.pricesById('a')), values(await files.pricesById('b'))]).toEqual([
      [],
      [161],
    ])
  })
})
