import { describe, expect, test } from 'bun:test'
import {
  type AlertWorld,
  createAlertWorld,
  type NewWebhook,
} from '../../support/alerts/alert-world.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

/** Cards of `smallUpstream`, with two printings each; the box has one. */
const TURTLE = 110
const RAIDER = 111
const BOX = 113
const HAVEN_TURTLE = 210

const closers = closeAfterEach()

/** A world whose first sync is in. */
async function openWorld(): Promise<AlertWorld> {
  const world = await createAlertWorld()
  closers.push(world.close)
  expect(await world.sync()).toMatchObject({ outcome: 'complete', alerts: 0 })
  return world
}

const dearBox: NewWebhook = { card_id: BOX, condition: 'above', threshold: 15_000 }
const cheapBox: NewWebhook = { card_id: BOX, condition: 'below', threshold: 9_000 }

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

  test('is counted in the report of the sync that fires it', async () => {
    const world = await openWorld()
    await world.addWebhook(dearBox)
    await world.addWebhook({ ...dearBox, threshold: 15_500 })
    await world.addWebhook(cheapBox)
    world.upstream.setPrice(BOX, 'Normal', 160)
    expect(await world.day()).toMatchObject({ outcome: 'complete', alerts: 2 })
    expect(await world.day()).toMatchObject({ outcome: 'complete', alerts: 0 })
  })

  test.each([
    ['alerts once while the condition stays met', dearBox, [160, 160, 170, 151], [160]],
    [
      'alerts again after the price has crossed back',
      dearBox,
      [160, 140, 155, 149, 149, 151],
      [160, 155, 151],
    ],
    ['is met at the threshold itself, from below', dearBox, [149.99, 150], [150]],
    ['is met at the threshold itself, from above', cheapBox, [90.01, 90], [90]],
    ['is armed again a cent from the threshold', cheapBox, [90, 90.01, 89], [90, 89]],
    ['waits while its price is unknown', dearBox, [null, null, 160], [160]],
    ['is not armed again by an unknown price', dearBox, [160, null, 165], [160]],
    ['is armed again after an unknown price', dearBox, [160, null, 100, 165], [160, 165]],
  ] as const)('%s', async (_, wanted, days, expectedPrices) => {
    const world = await openWorld()
    const id = await world.addWebhook(wanted)
    await world.pricesOf(BOX, 'Normal', days)
    expect(await world.prices(id)).toEqual([...expectedPrices])
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
    // Nor by a later run of that day, which publishes another game only.
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

  test('uses the most expensive printing unless it names one', async () => {
    const world = await openWorld()
    const at = { card_id: TURTLE, condition: 'above', threshold: 1_000 } as const
    const any = await world.addWebhook(at)
    const normal = await world.addWebhook({ ...at, printing: 'Normal' })
    const holofoil = await world.addWebhook({ ...at, printing: 'Holofoil' })
    await world.pricesOf(TURTLE, 'Holofoil', [11])
    await world.pricesOf(TURTLE, 'Normal', [12])
    await world.pricesOf(TURTLE, 'Holofoil', [2])
    expect(await world.prices(any)).toEqual([11])
    expect(await world.prices(normal)).toEqual([12])
    expect(await world.prices(holofoil)).toEqual([11])
    // Another printing is now the most expensive, and stays above: only its own has crossed back.
    await world.pricesOf(TURTLE, 'Holofoil', [13])
    expect(await world.prices(any)).toEqual([11])
    expect(await world.prices(holofoil)).toEqual([11, 13])
  })

  test('does not take an unknown price for a low one', async () => {
    const world = await openWorld()
    const below = { card_id: TURTLE, condition: 'below', threshold: 100 } as const
    const any = await world.addWebhook(below)
    const holofoil = await world.addWebhook({ ...below, printing: 'Holofoil' })
    const never = await world.addWebhook({ ...below, printing: 'Etched' })
    await world.pricesOf(TURTLE, 'Holofoil', [null])
    expect(await world.prices(any)).toEqual([])
    expect(await world.prices(holofoil)).toEqual([])
    // The highest known price.
    await world.pricesOf(TURTLE, 'Normal', [0.9])
    expect(await world.prices(any)).toEqual([0.9])
    expect(await world.prices(never)).toEqual([])
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

  test('with a changed threshold is armed again; an unchanged threshold has no effect', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.pricesOf(BOX, 'Normal', [160])
    await world.change(id, { threshold: 15_000 })
    await world.pricesOf(BOX, 'Normal', [161])
    expect(await world.prices(id)).toEqual([160])
    await world.change(id, { threshold: 15_500 })
    await world.pricesOf(BOX, 'Normal', [162, 163])
    expect(await world.prices(id)).toEqual([160, 162])
    await world.change(id, { threshold: 20_000 })
    await world.pricesOf(BOX, 'Normal', [164, 200])
    expect(await world.alerts(id)).toMatchObject([
      { threshold: 150, current_price: 160 },
      { threshold: 155, current_price: 162 },
      { threshold: 200, current_price: 200 },
    ])
  })

  test('that is deleted does not fire, and leaves nothing in the catalog', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    world.upstream.setPrice(BOX, 'Normal', 160)
    expect(await world.day()).toMatchObject({ alerts: 1 })
    await world.remove(id)
    expect(await world.relay()).toBe(0)
    expect(await world.day()).toMatchObject({ alerts: 0 })
    const { alert_outbox, alerted_rules } = world.contents({ exact: true })
    expect({ alert_outbox, alerted_rules }).toEqual({ alert_outbox: [], alerted_rules: [] })
  })
})

describe('a paused webhook', () => {
  test('does not fire, and fires when it is resumed if its condition is met', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.change(id, { is_paused: true })
    await world.pricesOf(BOX, 'Normal', [160])
    expect(await world.prices(id)).toEqual([])
    await world.change(id, { is_paused: false })
    await world.pricesOf(BOX, 'Normal', [161, 162])
    expect(await world.prices(id)).toEqual([161])
  })

  test('continues to evaluate prices: it fires again after crossing back', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.pricesOf(BOX, 'Normal', [160])
    await world.change(id, { is_paused: true })
    await world.pricesOf(BOX, 'Normal', [140, 170])
    await world.change(id, { is_paused: false })
    await world.pricesOf(BOX, 'Normal', [171])
    expect(await world.prices(id)).toEqual([160, 171])
  })

  test('does not fire again for a condition that stayed met', async () => {
    const world = await openWorld()
    const id = await world.addWebhook(dearBox)
    await world.pricesOf(BOX, 'Normal', [160])
    await world.change(id, { is_paused: true })
    await world.pricesOf(BOX, 'Normal', [161])
    await world.change(id, { is_paused: false })
    await world.pricesOf(BOX, 'Normal', [162])
    expect(await world.prices(id)).toEqual([160])
  })

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

/** Its receiver answers that it is gone. */
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

/** A clock that fails at its nth use: the last use, when everything is written. */
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
  /** Prices of the catalog: those of a game that was refused stay as they were. */
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
  /** True if its condition was met, and reported, at its last known price. */
  isMet: boolean
  isPaused: boolean
  isDeleted?: boolean
  /** In dollars. */
  expectedPrices: number[]
}

/** Changes by owners between publications. */
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
