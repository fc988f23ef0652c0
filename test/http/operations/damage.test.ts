// A page of the catalog that is damaged while the server runs, in the real file.
import { expect, test } from 'bun:test'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createTestApp } from '../../support/test-app.ts'

/** A card of the sample. */
const CARD = 900402

/** Creates an app on disk whose table of price histories has a damaged first page. */
async function openDamaged() {
  const testApp = await createTestApp({ onDisk: true })
  const { catalogDb } = testApp
  const root = catalogDb
    .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'history_hot'")
    .pluck()
    .get()
  const pageBytes = Number(catalogDb.pragma('page_size', { simple: true }))
  catalogDb.pragma('wal_checkpoint(TRUNCATE)')
  const file = openSync(join(testApp.deps.config.dataDir, 'catalog.db'), 'r+')
  writeSync(file, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, ((root ?? 0) - 1) * pageBytes)
  closeSync(file)
  return testApp
}

test('a damaged page results in 503 where it is read, and otherwise only readiness fails', async () => {
  const testApp = await openDamaged()
  const { client, log } = testApp
  expect((await client.get('/readyz')).status).toBe(200)
  for (let n = 0; n < 3; n++) {
    const { status, body, headers } = await client.get(`/v1/cards/${CARD}/history`, {
      as: 'pro',
    })
    expect([status, (body as { error?: { code: string } }).error?.code]).toEqual([
      503,
      'UNAVAILABLE',
    ])
    expect(headers.get('retry-after')).toBe('300')
    expect(JSON.stringify(body)).not.toMatch(/malformed|SQLITE|catalog\.db/)
  }
  expect((await client.get(`/v1/cards/${CARD}`, { as: 'pro' })).status).toBe(200)
  expect((await client.get('/healthz')).status).toBe(200)
  expect(await client.get('/readyz')).toMatchObject({
    status: 503,
    body: { status: 'not ready', faults: ['damage'] },
  })
  const metrics = await (await testApp.app.handle(new Request('http://localhost/metrics'))).text()
  expect(metrics).toContain('cardstock_storage_failures_total{fault="damaged"} 3')
  // The log has one line per minute, not one per request.
  const lines = log.filter(({ event }) => event === 'storage failed')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ level: 'error', facts: { fault: 'damaged' } })
})
