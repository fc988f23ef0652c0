import { describe, expect, test } from 'bun:test'
import type { Static } from '@sinclair/typebox'
import type { FreshnessSchema } from '#http/schemas/catalog.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { createTestApp, FROZEN_TIME } from '../../support/test-app.ts'

type Meta = Static<typeof FreshnessSchema>

const PUBLISHED = '2026-11-15T20:05:50.000Z'

describe('GET /v1/meta', () => {
  test('returns the published version, its time and its counts', async () => {
    const testApp = await createTestApp()
    const { body } = await testApp.client.get<Meta>('/v1/meta')
    expect(body.data).toMatchObject({
      published_at: PUBLISHED,
      // The second of two publications in the same second has a later time.
      changed_at: '2026-11-15T21:30:00.001Z',
      stale: false,
      counts: { games: 3, sets: 5, cards: 116 },
      last_sync: { started_at: FROZEN_TIME, finished_at: FROZEN_TIME, outcome: 'complete' },
    })
    // The archive of the sample begins 90 days before its last day.
    expect(body.data.games.map(({ prices_since }) => prices_since)).toEqual([
      '2026-08-18',
      '2026-08-18',
      '2026-08-18',
    ])
    expect(body.data.games.map((game) => [game.slug, game.stale, game.stale_since])).toEqual([
      ['wickerwild', false, null],
      ['vellum-and-thorn', false, null],
      ['perihelion-drift', false, null],
    ])
  })

  test('names the source of the prices: the mirror without its path, or the sample', async () => {
    const UPSTREAM_URL = 'https://reader:secret@mirror.example/prices'
    for (const [env, mirror] of [
      [{ UPSTREAM_URL }, 'mirror.example'],
      [{ UPSTREAM_URL: 'file:///srv/mirror' }, null],
      [{}, null],
    ] as const) {
      const testApp = await createTestApp({ env })
      const { body, headers } = await testApp.client.get<Meta>('/v1/meta')
      expect(body.data.price_source).toEqual({ marketplace: 'TCGplayer', currency: 'USD', mirror })
      expect(body.data.games.every(({ is_sample }) => is_sample)).toBe(true)
      expect(headers.get('etag')).not.toContain('secret')
    }
  })

  test('its counts equal those of the lists', async () => {
    const testApp = await createTestApp()
    const { counts } = (await testApp.client.get<Meta>('/v1/meta')).body.data
    const { body: sets } = await testApp.client.get<{ id: number }[]>('/v1/sets', { as: 'pro' })
    expect(sets.meta.total).toBe(counts.sets)
    let cards = 0
    for (const { id } of sets.data) {
      cards += (await testApp.client.get(`/v1/sets/${id}/cards`, { as: 'pro' })).body.meta.total
    }
    expect(cards).toBe(counts.cards)
  })

  test('an overdue game makes the catalog stale since its due time', async () => {
    const testApp = await createTestApp()
    testApp.setClock('2027-01-01T00:00:00Z')
    const { data } = (await testApp.client.get<Meta>('/v1/meta')).body
    expect(data.stale).toBe(true)
    for (const game of data.games) {
      expect(game.stale).toBe(true)
      expect(Date.parse(String(game.stale_since))).toBeGreaterThan(Date.parse(FROZEN_TIME))
      expect(Date.parse(String(game.stale_since))).toBeLessThan(Date.parse('2027-01-01T00:00:00Z'))
    }
  })

  test('a failed sync makes the catalog stale from that moment', async () => {
    const testApp = await createTestApp()
    testApp.catalogDb
      .prepare('UPDATE games SET stale_since = ? WHERE id = 9002')
      .run('2026-11-15T21:00:00.000Z')
    const { data } = (await testApp.client.get<Meta>('/v1/meta')).body
    expect(data.stale).toBe(true)
    expect(
      data.games.filter((game) => game.stale).map((game) => [game.id, game.stale_since]),
    ).toEqual([[9002, '2026-11-15T21:00:00.000Z']])
  })

  test('a publication of another process appears at once, with a new version', async () => {
    const testApp = await createTestApp({ onDisk: true })
    const before = await testApp.client.get<Meta>('/v1/meta')
    const intake = openCatalogWriter(testApp.deps.config.dataDir)
    intake.history.recount(() => new Date('2026-11-15T21:45:00Z'))
    intake.close()
    testApp.deps.catalog.publication.refresh()
    const after = await testApp.client.get<Meta>('/v1/meta')
    expect(after.body.data.version).toBe(before.body.data.version + 1)
    expect(after.body.data.changed_at).toBe('2026-11-15T21:45:00.000Z')
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  test('a version number that is reused after a restore has another ETag', async () => {
    const [first, second] = [await createTestApp(), await createTestApp()]
    first.publish(undefined, '2026-11-15T22:00:00.000Z')
    second.publish(undefined, '2026-11-15T23:00:00.000Z')
    const [one, other] = [
      await first.client.get<Meta>('/v1/games'),
      await second.client.get<Meta>('/v1/games'),
    ]
    const versions = [first, second].map(
      ({ deps }) => deps.catalog.publication.getCurrent().version,
    )
    expect(versions[0]).toBe(versions[1] ?? -1)
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'))
  })
})

test('an empty catalog returns empty lists with the state', async () => {
  const testApp = await createTestApp()
  testApp.catalogDb.pragma('foreign_keys = OFF')
  for (const table of [
    'games',
    'sets',
    'cards',
    'prices',
    'price_texts',
    'price_changes',
    'movers',
    'sync_runs',
  ]) {
    testApp.catalogDb.exec(`DELETE FROM ${table}`)
  }
  testApp.catalogDb.exec('UPDATE publication SET published_at = NULL')
  const { body } = await testApp.client.get<Meta>('/v1/meta')
  expect(body.data).toMatchObject({
    published_at: null,
    counts: { games: 0, sets: 0, cards: 0 },
    games: [],
    last_sync: null,
  })
  for (const path of ['/v1/games', '/v1/sets', '/v1/prices/top-movers', '/v1/search?q=anything']) {
    const reply = await testApp.client.get(path, { as: 'free' })
    expect([path, reply.status, reply.body.data]).toEqual([path, 200, [] as never])
  }
})

describe('GET /healthz, /readyz and /metrics', () => {
  test('a running process is live, and ready if both files exist', async () => {
    const testApp = await createTestApp()
    expect(await testApp.client.get('/healthz')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    })
    expect(await testApp.client.get('/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ready' },
    })
    testApp.close()
    expect((await testApp.client.get('/healthz')).status).toBe(200)
    expect(await testApp.client.get('/readyz')).toMatchObject({
      status: 503,
      body: { status: 'not ready', faults: ['catalog', 'ledger'] },
    })
  })

  test('a draining process is not ready, and still answers', async () => {
    const testApp = await createTestApp()
    testApp.drain.begin()
    expect(await testApp.client.get('/readyz')).toMatchObject({
      status: 503,
      body: { faults: ['draining'] },
    })
    expect((await testApp.client.get('/v1/games')).status).toBe(200)
  })

  test('counts requests by endpoint and status, never by their parameters', async () => {
    const testApp = await createTestApp()
    await testApp.client.get('/v1/cards/900001', { as: 'free' })
    await testApp.client.get('/v1/cards/900002', { as: 'free' })
    await testApp.client.get('/v1/cards/1', { as: 'free' })
    const { text } = await testApp.client.get('/metrics')
    expect(text).toContain('cardstock_http_requests_total{path="/v1/cards/:id",status="200"} 2')
    expect(text).toContain('cardstock_http_requests_total{path="/v1/cards/:id",status="404"} 1')
    expect(text).not.toContain('/900001')
  })
})
