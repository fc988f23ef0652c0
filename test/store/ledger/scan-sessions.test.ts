import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import type { NewItem } from '#store/ledger/collections/item-writer.ts'
import type { ScanItem } from '#store/ledger/collections/scan-items.ts'
import type { NewReading } from '#store/ledger/collections/scan-photos.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { expectProperty } from '../../support/properties.ts'
import { SEED } from '../../support/random.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
const DAY_MS = 24 * 3_600_000
const MAX = 12

/** A client's step. `server` is the server that answers it. */
type Step = { server: number } & (
  | { kind: 'photo'; key: string; cards: number; isKilled: boolean; times: number }
  | { kind: 'update' | 'delete' | 'duplicate'; at: number; quantity: number; copy: number }
)

const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('photo' as const),
    server: fc.nat(1),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    cards: fc.nat(3),
    isKilled: fc.boolean(),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constantFrom('update' as const, 'delete' as const, 'duplicate' as const),
    server: fc.nat(1),
    at: fc.nat(9),
    quantity: fc.integer({ min: 1, max: 9 }),
    copy: fc.nat(5),
  }),
)

const onePhoto = { server: 0, key: 'a', cards: 1, isKilled: false }

let made = 0

const rename = (name: string) => ({ name, revision: undefined })

const itemKey = ({ id: list_id, account_id }: { id: string; account_id: number }, id: string) => ({
  list_id,
  account_id,
  id,
})

/** Describes a card whose item is reviewed if it has a scan. */
function cardOf(identification_id: string, is_reviewed: 0 | 1): NewReading {
  const card = { card_id: 7, name: 'Ångström', number: null, game: 'a', set_id: 1, set_name: 'S' }
  const item: NewItem = {
    id: `item_${made++}`,
    identification_id,
    copied_from: null,
    ...card,
    is_reviewed,
    printing: 'Normal',
    condition: 'near_mint',
    grade: null,
    language: null,
    quantity: 1,
  }
  const place = { page_row: 1, page_column: 1, outline: '[]' }
  return { identification_id, ...place, data: '{"status":"matched"}', item }
}

describe.each(LEDGERS)('scan sessions on %s', (name, create) => {
  let testLedgers: TestLedgers
  let ledgers: Ledger[]

  beforeAll(async () => {
    testLedgers = await create()
    const options = { clock: 'caller' } as const
    ledgers = [testLedgers.open(options), testLedgers.open(options)]
  })
  afterAll(() => testLedgers.close())

  const on = (server: number): Ledger => ledgers[server % ledgers.length] as Ledger

  async function newAccount(): Promise<number> {
    const account = {
      email: `${made++}@sessions.example`,
      password_hash: '',
      tier: 'free',
    } as const
    return (await on(0).accounts.create(account, { now: NOW, address: undefined }))?.id ?? 0
  }

  async function newSession(account_id: number, now = NOW) {
    const key = { id: crypto.randomUUID(), account_id }
    const list = { ...key, kind: 'scan', name: 'Box' } as const
    expect(await on(0).lists.create(list, 1_000, now)).toBeObject()
    return key
  }

  type Key = Awaited<ReturnType<typeof newSession>>

  /** Reserves scans, and stores a photo of one charged card for each, unless the process is killed before. */
  async function sendPhoto(
    { id, account_id }: Key,
    { server, key, cards, isKilled }: typeof onePhoto,
  ) {
    const { scans } = on(server)
    const holds = Array.from({ length: Math.max(1, cards) }, () => crypto.randomUUID())
    const hold = { account_id, taken_at: NOW, holdMs: SCAN_HOLD_MS }
    for (const id of holds) expect(await scans.reserve({ ...hold, id })).toBe(true)
    if (isKilled) return undefined
    const read = (id: string, status: 'matched' | 'not_found') => {
      return { id, account_id, at: NOW.getTime(), status, game: null, data: '{}' }
    }
    const charged = holds.slice(0, cards).map((id) => read(id, 'matched'))
    const free = [read(crypto.randomUUID(), 'not_found')]
    const described = [
      ...charged.map((one) => cardOf(one.id, 1)),
      ...free.map((one) => cardOf(one.id, 0)),
    ]
    const photo = { list_id: id, photo: key, width: null, height: null, unread: '[]' }
    return scans.record({
      account_id,
      charged,
      free,
      empty: cards === 0 ? holds[0] : undefined,
      now: NOW,
      session: { ...photo, cards: described },
    })
  }

  const itemsOf = async ({ id }: Key) =>
    (await on(1).scanItems.list(id, undefined, { limit: 1_000, offset: 0 })).rows

  /** Checks that the counters of a session are those of its items. */
  async function expectCounted(key: Key): Promise<void> {
    const session = await on(1).lists.get(key)
    const items = await itemsOf(key)
    const open = items.filter((item) => item.is_reviewed === 0).length
    const copies = items.reduce((sum, { quantity }) => sum + quantity, 0)
    expect(session).toMatchObject({ items: items.length, open, copies })
    const reviewed = await on(0).scanItems.listReviewed(key.id, -1, 1_000)
    expect(reviewed).toHaveLength(items.length - open)
    const equal = await on(0).scanItems.listCopies(key.id)
    const counted = reviewed.reduce((sum, { quantity }) => sum + quantity, 0)
    expect(equal.reduce((sum, one) => sum + one.quantity, 0)).toBe(counted)
    const done = await on(0).scanItems.list(key.id, 'done', { limit: 2, offset: 0 })
    expect(done.total).toBe(reviewed.length)
  }

  test('store and charge each photo once and lose no item, whatever is repeated, killed and edited', async () => {
    const account_id = await newAccount()
    const grant = { account_id, n: 100_000, ref: crypto.randomUUID() }
    await on(0).scans.grant(grant, { now: NOW, address: undefined })
    // Starts the trial.
    await sendPhoto(await newSession(account_id), onePhoto)
    const steps = fc.array(STEP, { minLength: 4, maxLength: 14 })
    const check = fc.asyncProperty(steps, async (plan) => {
      const key = await newSession(account_id)
      const before = (await on(0).accounts.getScans(account_id)).balance
      const model = new Map<string, ScanItem>()
      const photos = new Map<string, number>()
      const refresh = async () => {
        for (const item of await itemsOf(key)) model.set(item.id, item)
      }
      for (const step of plan) {
        if (step.kind === 'photo') {
          const sent = await Promise.all(
            Array.from({ length: step.times }, (_, time) =>
              sendPhoto(key, { ...step, server: step.server + time }),
            ),
          )
          const stored = sent.filter((one) => one?.outcome === 'stored')
          expect(stored).toHaveLength(step.isKilled || photos.has(step.key) ? 0 : 1)
          for (const one of stored) photos.set(step.key, one?.charged ?? 0)
        } else await edit(key, step, model)
        const known = model.size
        await refresh()
        expect(await itemsOf(key)).toHaveLength(model.size)
        if (step.kind !== 'photo') expect(model.size).toBe(known)
      }
      await on(1).scans.refundOverdue(new Date(NOW.getTime() + SCAN_HOLD_MS))
      const charged = [...photos.values()].reduce((sum, scans) => sum + scans, 0)
      const session = await on(0).lists.get(key)
      expect(session).toMatchObject({ photos: photos.size, scans: charged })
      expect((await on(0).accounts.getScans(account_id)).balance).toBe(before - charged)
      await expectCounted(key)
    })
    await expectProperty(check, { seed: SEED, numRuns: name === 'SQLite' ? 60 : 8 })
    expect(await on(0).scans.listUnbalanced()).toEqual([])
  })

  /** Edits an item, in the session and in the model. */
  async function edit(
    key: Key,
    { kind, server, at, quantity, copy }: Exclude<Step, { kind: 'photo' }>,
    model: Map<string, ScanItem>,
  ): Promise<void> {
    const { listItems, scanItems } = on(server)
    const item = [...model.values()][at]
    if (item === undefined) return
    const item_key = { ...itemKey(key, item.id), revision: item.revision }
    if (kind === 'update') {
      const result = await listItems.update(item_key, { quantity, is_reviewed: 1 }, NOW)
      expect(result.outcome).toBe('changed')
      // The older revision is no longer valid.
      expect((await listItems.update(item_key, { quantity: 9 }, NOW)).outcome).toBe('conflict')
      expect(result.current).toMatchObject({ quantity, is_reviewed: 1 })
    } else if (kind === 'delete') {
      expect((await listItems.delete(item_key, NOW)).outcome).toBe('changed')
      expect((await listItems.delete(item_key, NOW)).outcome).toBe('missing')
      model.delete(item.id)
    } else {
      const id = `copy_${copy}`
      const known = model.get(id)
      const added = await scanItems.duplicate(item_key, id, 1_000, NOW)
      if (known !== undefined && known.copied_from !== item.id) {
        expect(added).toBe('taken')
      } else {
        expect(added).toMatchObject({ id, copied_from: item.id })
        if (typeof added !== 'string') model.set(id, added)
      }
    }
  }

  test('take no item over their limit, by duplicates', async () => {
    const key = await newSession(await newAccount())
    await sendPhoto(key, onePhoto)
    const [item] = await itemsOf(key)
    const item_key = itemKey(key, item?.id ?? '')
    const copies = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        on(index).scanItems.duplicate(item_key, `copy_${index}`, 4, NOW),
      ),
    )
    expect(copies.filter((one) => one === 'full')).toHaveLength(2)
    await expectCounted(key)
  })

  test('of another account are neither read nor changed', async () => {
    const key = await newSession(await newAccount())
    await sendPhoto(key, onePhoto)
    const [item] = await itemsOf(key)
    const stranger = { id: key.id, account_id: await newAccount() }
    const item_key = { ...itemKey(stranger, item?.id ?? ''), revision: undefined }
    const { lists, listItems, scanItems, scanPhotos } = on(0)
    expect(await lists.get(stranger)).toBeUndefined()
    expect(await scanPhotos.get(stranger, 'a')).toBeUndefined()
    expect(await lists.rename(stranger, rename('Mine'), NOW)).toEqual({ outcome: 'missing' })
    expect(await lists.delete(stranger, NOW)).toBeUndefined()
    expect(await lists.create({ ...stranger, kind: 'scan', name: 'Mine' }, MAX, NOW)).toBe('taken')
    expect(await listItems.get(item_key)).toBeUndefined()
    expect(await scanItems.get(item_key)).toBeUndefined()
    expect((await listItems.update(item_key, { quantity: 2 }, NOW)).outcome).toBe('missing')
    expect((await listItems.delete(item_key, NOW)).outcome).toBe('missing')
    expect(await scanItems.duplicate(item_key, 'copy', MAX, NOW)).toBe('missing')
    expect(await sendPhoto(stranger, onePhoto)).toMatchObject({ outcome: 'missing', charged: 0 })
    expect((await on(1).accounts.getScans(stranger.account_id)).trial_at).toBeNull()
    expect(await itemsOf(key)).toHaveLength(2)
  })

  test('are kept for 30 days after their last change, and deleted in small steps', async () => {
    const account_id = await newAccount()
    const [old, used] = [await newSession(account_id), await newSession(account_id)]
    const photo = { ...onePhoto, cards: 3 }
    for (const key of [old, used]) await sendPhoto(key, photo)
    const later = new Date(NOW.getTime() + 30 * DAY_MS)
    await on(0).lists.rename(used, rename('Used'), later)
    const hide = () => on(0).lists.expireScanSessions(new Date(NOW.getTime() + 1), 10, later)
    while ((await hide()) > 0);
    expect(await on(1).lists.get(old)).toBeUndefined()
    expect(await on(1).lists.get(used)).toMatchObject({ name: 'Used', items: 4 })
    let steps = 0
    while ((await on(0).lists.purge(2)) > 0) steps++
    expect(steps).toBeGreaterThanOrEqual(6)
    for (const table of ['scan_photos', 'readings', 'list_items']) {
      const [left] = await testLedgers.all<{ n: number }>(
        `SELECT count(*) AS n FROM ${table} WHERE list_id = '${old.id}'`,
      )
      expect([table, Number(left?.n)]).toEqual([table, 0])
    }
    expect(await itemsOf(used)).toHaveLength(4)
  })
})
