import { describe, expect, test } from 'bun:test'
import {
  type AlertWorld,
  createAlertWorld,
  type NewWebhook,
} from '../../support/alerts/alert-world.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

/** Cards of `smallUpstream`. Each has two printings, but the box only one. */
const TURTLE = 110
const RAIDER = 111
const BOX = 113
const HAVEN_TURTLE = 210

const closers = closeAfterEach()

/** Opens a world after its first sync. */
async function openWorld(): Promise<AlertWorld> {
  const world = await createAlertWorld()
  closers.push(world.close)
  expect(await world.sync()).toMatchObject({ outcome: 'complete', alerts: 0 })
  return world
}

const dearBox: NewWebhook = { card_id: BOX, condition: 'above', threshold: 15_000 }

describe('a webhook', () => {
  test('sends the seven fields of the specification when its price meets the condition', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.pricesOf(BOX, 'Normal', [160])
    const received = await world.alerts(id)
    expect(received).toEqual([
      {
        id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
        webhook_id: id,
        event: 'price_alert',
        card_id: BOX,
        card_name: 'Booster Box',
        condition: 'above',
        threshold: 150,
        current_price: 160,
        timestamp: world.deps.now().toISOString(),
      },
    ])
  })

  test('that is already met fires once, at the next publication', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ ...dearBox, threshold: 10_000 })
    expect(await world.prices(id)).toEqual([])
    expect(await world.day()).toMatchObject({ alerts: 1, prices_changed: 0 })
    await world.day()
    await world.relay()
    expect(await world.prices(id)).toEqual([120])
  })

  test('is not evaluated on a price whose game was rejected that day, but on the next correct one', async () => {
    const world = await openWorld()
    const rejected = await world.addWebhook({ ...dearBox, threshold: 10_000 })
    const other = await world.addWebhook({
      card_id: HAVEN_TURTLE,
      condition: 'above',
      threshold: 100,
    })
    const kept = [110, 111, 112].map((id) => world.upstream.row(id).marketPrice)
    for (const id of [110, 111, 112]) world.upstream.setPrice(id, 'Normal', null)
    expect(await world.day()).toMatchObject({ failures: [{ game: 'pokemon' }], alerts: 1 })
    // Also not in a later run of that day that publishes only another game.
    expect(await world.sync({ game: 'harbour-and-haven', force: true })).toMatchObject({
      alerts: 0,
    })
    await world.relay()
    expect(await world.prices(other)).toHaveLength(1)
    expect(await world.prices(rejected)).toEqual([])

    for (const [index, price] of kept.entries()) {
      world.upstream.setPrice(110 + index, 'Normal', price)
    }
    expect(await world.day()).toMatchObject({ outcome: 'complete', alerts: 1 })
    await world.relay()
    expect(await world.prices(rejected)).toEqual([120])
  })

  test('is evaluated if its set was published, although another set of its game was not', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ ...dearBox, threshold: 10_000 })
    const unread = await world.addWebhook({ card_id: 120, condition: 'above', threshold: 100 })
    world.mirror.fault('tcgplayer/3/12/prices', { status: 404 })
    expect(await world.day()).toMatchObject({ outcome: 'incomplete', alerts: 1 })
    world.mirror.recover()
    expect(await world.sync()).toMatchObject({ outcome: 'complete', alerts: 1 })
    await world.relay()
    expect(await world.prices(id)).toEqual([120])
    expect(await world.prices(unread)).toHaveLength(1)
  })

  test('of a printing that is added later fires as soon as it exists', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ ...dearBox, printing: 'Etched', threshold: 100 })
    await world.day()
    await world.pricesOf(BOX, 'Etched', [3])
    expect(await world.prices(id)).toEqual([3])
  })

  test('of a card that is added later fires as soon as it exists', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ card_id: 777, condition: 'above', threshold: 100 })
    expect(await world.day()).toMatchObject({ alerts: 0 })
    world.upstream.addCard(11, { id: 777, name: 'Late Lobster', prices: { Normal: 2 } })
    world.upstream.touch(11)
    expect(await world.day()).toMatchObject({ alerts: 1 })
    await world.relay()
    expect(await world.alerts(id)).toMatchObject([{ card_name: 'Late Lobster', current_price: 2 }])
  })
})

describe('a paused webhook', () => {
  test('by its tier fires again when the account is on Pro again, without effect on others', async () => {
    const world = await openWorld()
    const account_id = await world.newAccount('business')
    const id = await world.addWebhook({ ...dearBox, account_id })
    const other = await world.addWebhook(dearBox)
    for (const tier of ['starter', 'hobby', 'free'] as const) {
      await world.setTier(account_id, tier)
      await world.pricesOf(BOX, 'Normal', [160, 140])
    }
    expect(await world.prices(id)).toEqual([])
    expect(await world.prices(other)).toEqual([160, 160, 160])
    await world.setTier(account_id, 'pro')
    await world.pricesOf(BOX, 'Normal', [165])
    expect(await world.prices(id)).toEqual([165])
  })

  test('because its receiver was gone fires when its owner resumes it', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.pricesOf(BOX, 'Normal', [160])
    await giveUp(world, id)
    await world.pricesOf(BOX, 'Normal', [140, 150])
    expect(await world.prices(id)).toEqual([160])
    await world.change(id, { is_paused: false })
    await world.pricesOf(BOX, 'Normal', [151])
    expect(await world.prices(id)).toEqual([160, 151])
  })
})

/** The receiver responds that it is gone. */
async function giveUp({ ledger, deps }: AlertWorld, webhook_id: string): Promise<void> {
  const now = deps.now()
  const hold = { owner: 'test', now, leaseMs: 60_000, pausedMs: 60_000 }
  const { heads } = await ledger.messages.listDue(now, {
    after: { next_at: 0, id: '' },
    limit: 100,
  })
  const ids = heads.map(({ id }) => id)
  const [due] = await ledger.messages.lease(hold, ids)
  expect(due?.channel_id).toBe(webhook_id)
  const attempt = { at: now.getTime(), status: 410, error: 'gone', latency_ms: 1, answer: '' }
  const { id: message_id = '', url = '' } = due ?? {}
  const done = { owner: 'test', message_id, url, now, ...attempt }
  const isRecorded = await ledger.messages.record(
    done,
    { kind: 'dead', stops: 'gone' },
    () => false,
  )
  expect(isRecorded).toBe(true)
}

describe('a publication', () => {
  test('of one game evaluates all webhooks, and the next one fires nothing again', async () => {
    const world = await openWorld()
    const pokemon = await world.addWebhook({
      card_id: TURTLE,
      condition: 'above',
      threshold: 1_000,
    })
    const haven = await world.addWebhook({
      card_id: HAVEN_TURTLE,
      condition: 'above',
      threshold: 1_000,
    })
    world.upstream.setPrice(TURTLE, 'Normal', 20)
    world.upstream.setPrice(HAVEN_TURTLE, 'Normal', 30)
    expect(await world.day(1, { game: 'pokemon' })).toMatchObject({ alerts: 1 })
    await world.relay()
    expect(await world.prices(pokemon)).toEqual([20])
    expect(await world.prices(haven)).toEqual([])
    expect(await world.sync({ game: 'harbour-and-haven' })).toMatchObject({ alerts: 1 })
    await world.relay()
    expect(await world.prices(pokemon)).toEqual([20])
    expect(await world.prices(haven)).toEqual([30])
  })

  test('without changes is not made, and fires nothing', async () => {
    const world = await openWorld()
    const id = await world.addWebhook({ ...dearBox, threshold: 100 })
    const report = await world.sync()
    expect(report).toMatchObject({ alerts: 0 })
    expect(report.version).toBeUndefined()
    expect(await world.prices(id)).toEqual([])
  })

  test('that fails fires nothing, and leaves every webhook unchanged', async () => {
    const world = await openWorld()
    await world.addWebhook({ ...dearBox, threshold: 100 })
    const before = world.contents({ exact: true })
    const failing = {
      games: [],
      sets: [],
      completeGames: [],
      missingSets: [],
      publishedAt: world.deps.now(),
      now: failingAt(3, world.deps.now),
    }
    expect(() => world.deps.catalogWriter.publish(failing)).toThrow('the clock stopped')
    expect(world.contents({ exact: true })).toEqual(before)
    expect(await world.day()).toMatchObject({ alerts: 1 })
    expect(await world.relay()).toBe(1)
  })

  test('of imported history fires nothing', async () => {
    const world = await openWorld()
    await world.addWebhook({ ...dearBox, threshold: 100 })
    world.deps.catalogWriter.history.recount(world.deps.now)
    const { alert_outbox, alerted_rules } = world.contents({ exact: true })
    expect({ alert_outbox, alerted_rules }).toEqual({ alert_outbox: [], alerted_rules: [] })
  })
})

/** Creates a clock that fails on its nth call: the last call comes after everything was written. */
function failingAt(nth: number, now: () => Date): () => Date {
  let calls = 0
  return () => {
    if (++calls === nth) throw new Error('the clock stopped')
    return now()
  }
}

test(`random prices cause each alert once, and no other (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const world = await openWorld()
  const cents = () => 50 + Math.floor(random() * 40) * 5
  const cards = [TURTLE, RAIDER, BOX, HAVEN_TURTLE]
  const upstream = new Map<string, number | null>()
  /** Prices in the catalog; those of a rejected game are unchanged. */
  const shown = new Map<string, number | null>()
  const watches: Modeled[] = []

  /** The price as the specification and its choices define it. */
  const priceOf = ({ card_id, printing }: Modeled): number | null => {
    const printings = printing === null ? ['Normal', 'Holofoil'] : [printing]
    const known = printings.flatMap((name) => shown.get(`${card_id} ${name}`) ?? [])
    return known.length === 0 ? null : Math.max(...known)
  }
  for (const card_id of cards) {
    for (const printing of ['Normal', 'Holofoil']) upstream.set(`${card_id} ${printing}`, null)
  }

  for (let day = 0; day < DAYS; day++) {
    while (watches.length < 60 && (day === 0 || random() < 0.3)) {
      const wanted = {
        card_id: pick(random, cards),
        printing: pick(random, [null, null, 'Normal', 'Holofoil']),
        condition: pick(random, ['above', 'below'] as const),
        threshold: cents(),
      }
      const id = await world.addWebhook(wanted)
      watches.push({ ...wanted, id, isMet: false, isPaused: false, expectedPrices: [] })
    }
    for (const watch of watches) await meddle(world, watch, random, cents)
    for (const key of day === 0
      ? upstream.keys()
      : [...upstream.keys()].filter(() => random() < 0.6)) {
      const price = random() < 0.12 ? null : cents()
      const [card_id, printing = ''] = key.split(' ')
      world.upstream.setPrice(Number(card_id), printing, price === null ? null : price / 100)
      upstream.set(key, price)
    }
    const { failures } = await world.day()
    for (const [key, price] of upstream) {
      const game = gameOf(Number(key.split(' ')[0]))
      if (!failures.some((failure) => failure.game === game)) shown.set(key, price)
    }
    if (random() < 0.2) world.restartRelay()
    if (random() < 0.8) await world.relay()
    for (const watch of watches) {
      const isRefused = failures.some(({ game }) => game === gameOf(watch.card_id))
      if (!isRefused) judge(watch, priceOf(watch))
    }
  }
  world.restartRelay()
  await world.relay()

  for (const { id, expectedPrices, isDeleted } of watches) {
    if (!isDeleted)
      expect({ id, expectedPrices: await world.prices(id) }).toEqual({ id, expectedPrices })
  }
  expect(watches.flatMap(({ expectedPrices }) => expectedPrices).length).toBeGreaterThan(60)
})

const gameOf = (card: number) => (card === HAVEN_TURTLE ? 'harbour-and-haven' : 'pokemon')

const DAYS = 40

type Modeled = Required<Omit<NewWebhook, 'account_id'>> & {
  id: string
  /** True if its condition was met and reported at its last known price. */
  isMet: boolean
  isPaused: boolean
  isDeleted?: boolean
  /** In dollars. */
  expectedPrices: number[]
}

/** Changes that owners make between publications. */
async function meddle(
  world: AlertWorld,
  watch: Modeled,
  random: () => number,
  cents: () => number,
): Promise<void> {
  const chance = random()
  if (watch.isDeleted) return
  if (chance < 0.03) {
    watch.isDeleted = true
    await world.remove(watch.id)
  } else if (chance < 0.1) {
    watch.isPaused = !watch.isPaused
    await world.change(watch.id, { is_paused: watch.isPaused })
  } else if (chance < 0.15) {
    const threshold = cents()
    await world.change(watch.id, { threshold })
    if (threshold !== watch.threshold) Object.assign(watch, { threshold, isMet: false })
  }
}

function judge(watch: Modeled, price: number | null): void {
  if (price === null || watch.isDeleted) return
  const { condition, threshold } = watch
  const isMet = condition === 'above' ? price >= threshold : price <= threshold
  if (!isMet) watch.isMet = false
  if (!isMet || watch.isMet || watch.isPaused) return
  watch.isMet = true
  watch.expectedPrices.push(price / 100)
}
