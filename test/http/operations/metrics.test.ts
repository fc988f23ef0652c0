import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { acquireLock } from '#store/files/lock.ts'
import { createMetricsRegistry } from '../../../src/http/metrics/registry.ts'
import { createHeldChannel } from '../../contract/holdings.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, FROZEN_TIME, type TestApp } from '../../support/test-app.ts'

/** Returns the values of /metrics by name with labels. */
async function metricsOf({ app }: TestApp): Promise<Map<string, number>> {
  const text = await (await app.handle(new Request('http://localhost/metrics'))).text()
  return valuesIn(text)
}

function valuesIn(text: string): Map<string, number> {
  const lines = text.matchAll(/^([a-z]\w*(?:\{.*\})?) (\S+)$/gm)
  return new Map([...lines].map(([, name = '', value]) => [name, Number(value)]))
}

test('require METRICS_TOKEN, if the operator has set one', async () => {
  const token = 'a-token-of-the-operator'
  const { client } = await createTestApp({ env: { METRICS_TOKEN: token } })
  const read = (authorization?: string) =>
    client.get('/metrics', { headers: authorization === undefined ? {} : { authorization } })
  for (const wrong of [undefined, '', 'Bearer', `Bearer ${token}x`, token, `Basic ${token}`]) {
    const refused = await read(wrong)
    expectRefusal(refused, 401, 'METRICS_TOKEN_INVALID')
    expect(refused.text).not.toContain(token)
    expect(refused.text).not.toContain('cardstock_')
  }
  const { status, text } = await read(`Bearer ${token}`)
  expect([status, text.includes('cardstock_')]).toEqual([200, true])
  // A load balancer and a probe need no token.
  for (const path of ['/healthz', '/readyz']) expect((await client.get(path)).status).toBe(200)
})

test('counts requests by duration and by group of endpoints', async () => {
  const meter = createMetricsRegistry()
  meter.endpoint('/v1/cards/:id')(200, 0.4)
  meter.endpoint('/v1/cards/:id/prices')(200, 1)
  meter.endpoint('GET /v1/keys')(200, 7)
  meter.endpoint('/v1/cards/:id')(500, 60_000)
  const values = valuesIn(await meter.render())
  const name = 'cardstock_http_request_duration_seconds'
  const bucket = (group: string, le: string) =>
    values.get(`${name}_bucket{group="${group}",le="${le}"}`)
  expect(bucket('cards', '0.0005')).toBe(1)
  expect(bucket('cards', '0.001')).toBe(2)
  expect(bucket('cards', '10')).toBe(2)
  expect(bucket('cards', '+Inf')).toBe(3)
  expect(values.get(`${name}_count{group="cards"}`)).toBe(3)
  expect(values.get(`${name}_sum{group="cards"}`)).toBe(60.0014)
  expect([bucket('keys', '0.005'), bucket('keys', '0.01')]).toEqual([0, 1])
  expect(values.get('cardstock_http_requests_total{path="/v1/cards/:id",status="500"}')).toBe(1)
})

test('omits and counts unreadable metrics, and returns the others', async () => {
  const testApp = await createTestApp({ onDisk: true })
  testApp.deps.ledger.close()
  rmSync(testApp.deps.config.dataDir, { recursive: true })
  const values = await metricsOf(testApp)
  expect(values.has('cardstock_deliveries_pending')).toBe(false)
  expect(values.has('cardstock_disk_free_bytes')).toBe(false)
  expect(values.get('cardstock_metrics_failures_total{room="alerts"}')).toBe(1)
  expect(values.get('cardstock_metrics_failures_total{room="files"}')).toBe(1)
  expect(values.get('cardstock_metrics_failures_total{room="catalog"}')).toBe(0)
  expect(values.get('cardstock_stale_games')).toBe(0)
  const again = await metricsOf(testApp)
  expect(again.get('cardstock_metrics_failures_total{room="alerts"}')).toBe(2)
})

test('has the last refresh of each game and the result of the last sync', async () => {
  const testApp = await createTestApp()
  const slugs = testApp.deps.catalog.games.listFreshness().map(({ slug }) => slug)
  const values = await metricsOf(testApp)
  const frozen = Date.parse(FROZEN_TIME) / 1000
  for (const slug of slugs) {
    expect(values.get(`cardstock_game_last_sync_timestamp_seconds{game="${slug}"}`)).toBe(frozen)
    expect(values.get(`cardstock_game_stale{game="${slug}"}`)).toBe(0)
  }
  testApp.setClock('2027-01-01T00:00:00.000Z')
  expect((await metricsOf(testApp)).get('cardstock_stale_games')).toBe(slugs.length)
})

test('keeps the last result while a sync is running', async () => {
  const testApp = await createTestApp()
  const begun = "INSERT INTO sync_runs (started_at) VALUES ('2026-11-15T21:29:00.000Z')"
  expect((await metricsOf(testApp)).get('cardstock_last_sync_complete')).toBe(1)
  testApp.catalogDb.exec(begun)
  expect((await metricsOf(testApp)).get('cardstock_last_sync_complete')).toBe(1)
  testApp.catalogDb.exec(
    `UPDATE sync_runs SET finished_at = '2026-11-15T21:29:42.500Z', outcome = 'failed'
      WHERE finished_at IS NULL`,
  )
  const values = await metricsOf(testApp)
  expect(values.get('cardstock_last_sync_outcome{outcome="failed"}')).toBe(1)
  expect(values.get('cardstock_last_sync_complete')).toBe(0)
  expect(values.get('cardstock_last_sync_duration_seconds')).toBe(42.5)
})

test('counts the failures of the last sync, and a run that was killed as failed', async () => {
  const testApp = await createTestApp({ onDisk: true })
  const { dataDir } = testApp.deps.config
  const report = { failures: [{ game: 'all', reason: 'the disk is full' }], internal_errors: 1 }
  testApp.catalogDb
    .prepare(
      `INSERT INTO sync_runs (started_at, finished_at, outcome, report)
     VALUES ('2026-11-15T21:29:00.000Z', '2026-11-15T21:29:42.500Z', 'failed', ?)`,
    )
    .run(JSON.stringify(report))
  const values = await metricsOf(testApp)
  expect(values.get('cardstock_last_sync_failures')).toBe(1)
  expect(values.get('cardstock_last_sync_internal_errors')).toBe(1)

  const complete = "finished_at = '2026-11-15T21:29:00.000Z', outcome = 'complete'"
  testApp.catalogDb.exec(`UPDATE sync_runs SET ${complete}`)
  testApp.catalogDb.exec("INSERT INTO sync_runs (started_at) VALUES ('2026-11-15T21:30:00.000Z')")
  const release = acquireLock(dataDir, 'intake')
  expect((await metricsOf(testApp)).get('cardstock_last_sync_complete')).toBe(1)
  release?.()
  expect((await metricsOf(testApp)).get('cardstock_last_sync_complete')).toBe(0)
  const meta = await testApp.app.handle(new Request('http://localhost/v1/meta'))
  expect(await meta.json()).toMatchObject({ data: { last_sync: { outcome: 'failed' } } })
})

test('has how long the first delivery and the first message have been due', async () => {
  const testApp = await createTestApp({ onDisk: true })
  const before = await metricsOf(testApp)
  expect(before.get('cardstock_deliveries_overdue_seconds')).toBe(0)
  expect(before.get('cardstock_channel_messages_overdue_seconds')).toBe(0)
  const db = testApp.ledgerDb()
  const due = Date.parse(FROZEN_TIME) - 90_000
  db.exec(
    `INSERT INTO alert_channels (id, account_id, kind, url, secret, host, created_at, updated_at)
       SELECT 'w', min(id), 'webhook', 'https://a.example', x'00', 'a.example', 0, 0 FROM accounts;
     INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, created_at, updated_at)
       SELECT id, account_id, id, 1, 'above', 1, 0, 0 FROM alert_channels`,
  )
  const channel = await createHeldChannel(testApp.deps, 'pro', 'slack')
  const send = db.prepare(
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at)
     SELECT ?, id, account_id, host, kind, 'alert', '', ?, ?, 0 FROM alert_channels WHERE id = ?`,
  )
  send.run('a', 'pending', due, 'w')
  send.run('b', 'pending', due + 1_000_000, 'w')
  send.run('c', 'delivered', 0, 'w')
  send.run('d', 'pending', due + 30_000, channel)
  send.run('e', 'dead', 0, channel)
  const values = await metricsOf(testApp)
  expect(values.get('cardstock_deliveries_pending')).toBe(2)
  expect(values.get('cardstock_deliveries_overdue_seconds')).toBe(90)
  expect(values.get('cardstock_channel_messages_pending')).toBe(1)
  expect(values.get('cardstock_channel_messages_overdue_seconds')).toBe(60)
  expect(values.get('cardstock_watches')).toBe(1)
})

test('has the sizes of the files, the disk and the process', async () => {
  const testApp = await createTestApp({ onDisk: true })
  const values = await metricsOf(testApp)
  expect(values.get('cardstock_file_bytes{file="catalog.db"}')).toBeGreaterThan(100_000)
  expect(values.get('cardstock_file_bytes{file="ledger.db"}')).toBeGreaterThan(10_000)
  const [free, all] = [values.get('cardstock_disk_free_bytes'), values.get('cardstock_disk_bytes')]
  expect(free).toBeLessThanOrEqual(all ?? 0)
  expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(10e6)
  expect(values.get('cardstock_accounts')).toBeGreaterThan(5)
})
