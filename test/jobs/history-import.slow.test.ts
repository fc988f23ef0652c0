// Imports of older prices that an operator starts: from the upload to the catalog, through the server's own thread.
import { describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { acquireLock } from '#store/files/lock.ts'
import type { HistoryImport } from '../../src/client/endpoints.ts'
import { createTempFolder } from '../support/closers.ts'
import { smallDays, writeFolder, writeTarGz } from '../support/sync/archives.ts'
import { OPERATOR, openOperatedServer } from '../support/sync/operated-server.ts'

const IMPORT = '/v1/operator/history-import'

/** Starts a server whose first sync has ended, with a logged-in operator. */
async function openServer() {
  const { app, deps, dataDir, bulkRuns } = await openOperatedServer('2026-03-10T20:05:50Z')

  let cookie = ''
  async function request(method: string, path: string, body?: BodyInit, type?: string) {
    const response = await app.handle(
      new Request(`http://localhost${path}`, {
        method,
        headers: { 'content-type': type ?? 'application/json', cookie },
        ...(body !== undefined && { body }),
      }),
    )
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return { status: response.status, body: await response.json() }
  }
  await request('POST', '/v1/auth/login', JSON.stringify(OPERATOR))

  const state = async (): Promise<HistoryImport> => (await request('GET', IMPORT)).body.data
  return {
    dataDir,
    deps,
    state,
    bulkRuns,
    start: (archive: string) => request('POST', IMPORT, JSON.stringify({ archive })),
    cancel: () => request('DELETE', IMPORT),
    upload: (piece: { name: string; offset: number; size: number }, bytes: Uint8Array) =>
      request(
        'POST',
        `${IMPORT}/upload?${new URLSearchParams(Object.entries(piece).map(([k, v]) => [k, `${v}`]))}`,
        new Uint8Array(bytes),
        'application/octet-stream',
      ),
    /** Waits until an import has ended. */
    async ended(): Promise<HistoryImport> {
      for (;;) {
        const one = await state()
        if (one.state !== 'running' && deps.triggers.history.getRunning() === undefined) return one
        await Bun.sleep(5)
      }
    },
  }
}

function importFolder(dataDir: string): string {
  const folder = join(dataDir, 'import')
  mkdirSync(folder, { recursive: true })
  return folder
}

describe('an import of older prices', () => {
  test('of an upload is stored, shown and published, and the upload is deleted', async () => {
    const server = await openServer()
    expect(await server.state()).toMatchObject({ state: 'none', name: null, archives: [] })
    const file = join(createTempFolder('cardstock-history-'), 'prices.tar.gz')
    writeTarGz(file, smallDays(13))
    const bytes = readFileSync(file)
    const size = bytes.length
    const name = 'prices 2026.tar.gz'
    const half = Math.floor(size / 2)
    const first = await server.upload({ name, offset: 0, size }, bytes.subarray(0, half))
    expect(first).toMatchObject({ status: 200, body: { data: { archive: null, received: half } } })
    // A lost response: the piece comes again.
    await server.upload({ name, offset: 0, size }, bytes.subarray(0, half))
    expect((await server.state()).archives).toEqual([])
    const last = await server.upload({ name, offset: half, size }, bytes.subarray(half))
    const archive = `uploaded-${name}`
    expect(last.body.data).toEqual({ archive, received: size })
    expect((await server.state()).archives).toEqual([
      { name: archive, kind: 'archive', bytes: size },
    ])

    const [before, builds] = [
      server.deps.catalog.publication.getCurrent().version,
      server.bulkRuns(),
    ]
    expect(await server.start(archive)).toMatchObject({ status: 202 })
    expect(await server.state()).toMatchObject({ state: 'running', name: archive })
    const done = await server.ended()
    expect(done).toMatchObject({
      state: 'complete',
      days: 13,
      days_stored: 13,
      first_day: '2026-02-25',
      last_day: '2026-03-09',
      points: 13 * 28,
      unknown_cards: 0,
      failure_count: 0,
      problem: null,
      archives: [],
    })
    server.deps.catalog.publication.refresh()
    expect(server.deps.catalog.publication.getCurrent().version).toBe(before + 1)
    expect(server.bulkRuns()).toBeGreaterThan(builds)
    expect(readdirSync(server.dataDir)).not.toContain('staging-history')
    const [entry] = await server.deps.ledger.audit.list(1)
    expect(entry).toMatchObject({ event: 'history_import_started', detail: archive })
  })

  test('is canceled, and goes on where it stopped', async () => {
    const server = await openServer()
    const file = join(importFolder(server.dataDir), 'years.tar.gz')
    writeTarGz(file, smallDays(1_200))
    await server.start('years.tar.gz')
    for (let one = await server.state(); one.days_stored === 0; one = await server.state()) {
      await Bun.sleep(2)
    }
    expect(await server.start('years.tar.gz')).toMatchObject({ status: 409 })
    expect(await server.cancel()).toMatchObject({ status: 200 })
    const canceled = await server.ended()
    expect(canceled).toMatchObject({ state: 'canceled', days: 1_200 })
    expect(canceled.days_stored).toBeLessThan(1_200)
    await server.start('years.tar.gz')
    const done = await server.ended()
    expect(done).toMatchObject({ state: 'complete', days_stored: 1_200, points: 1_200 * 28 })
    // Only uploads are deleted.
    expect(existsSync(file)).toBe(true)
  })

  test('that fails says why', async () => {
    const server = await openServer()
    writeFileSync(join(importFolder(server.dataDir), 'notes.zip'), 'hello')
    await server.start('notes.zip')
    expect(await server.ended()).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('not an archive'),
      days_stored: 0,
    })
  })

  test('takes folders and archives in the folder of imports, and nothing else', async () => {
    const server = await openServer()
    const folder = importFolder(server.dataDir)
    writeFolder(join(folder, 'extracted'), smallDays(2))
    // A circle, which must not stop the server either.
    symlinkSync(server.dataDir, join(folder, 'linked'))
    symlinkSync('/etc/hostname', join(folder, 'linked.zip'))
    expect((await server.state()).archives).toEqual([
      { name: 'extracted', kind: 'folder', bytes: null },
    ])
    for (const name of [
      'linked',
      'linked.zip',
      '..',
      '.',
      '../import',
      'a/b',
      '/etc',
      'x'.repeat(200),
    ]) {
      expect([name, (await server.start(name)).status]).toEqual([name, 404])
    }
    expect((await server.start('extracted')).status).toBe(202)
    expect(await server.ended()).toMatchObject({ state: 'complete', days: 2, days_stored: 2 })
  })

  test('waits for no sync: another writer of the catalog is a conflict', async () => {
    const server = await openServer()
    writeFolder(join(importFolder(server.dataDir), 'extracted'), smallDays(1))
    const unlock = acquireLock(server.dataDir, 'intake')
    expect(await server.start('extracted')).toMatchObject({
      status: 409,
      body: { error: { code: 'SYNC_RUNNING' } },
    })
    unlock?.()
    expect((await server.start('extracted')).status).toBe(202)
    await server.ended()
  })
})

describe('an upload', () => {
  const piece = new Uint8Array(10)

  test.each([
    ['with a gap before it', { name: 'a.zip', offset: 20, size: 100 }],
    ['beyond its size', { name: 'a.zip', offset: 0, size: 5 }],
    ['with a path', { name: '../a.zip', offset: 0, size: 10 }],
    ['with a hidden name', { name: '.a.zip', offset: 0, size: 10 }],
    ['that is too large', { name: 'a.zip', offset: 0, size: 9 * 1024 ** 3 }],
  ])('%s is refused', async (_, query) => {
    const server = await openServer()
    expect(await server.upload(query, piece)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    })
    expect((await server.state()).archives).toEqual([])
  })

  test('that is begun again replaces what has arrived of others', async () => {
    const server = await openServer()
    await server.upload({ name: 'a.zip', offset: 0, size: 100 }, piece)
    await server.upload({ name: 'b.zip', offset: 0, size: 100 }, piece)
    expect(readdirSync(join(server.dataDir, 'import'))).toEqual(['.uploading-b.zip'])
    const late = await server.upload({ name: 'a.zip', offset: 10, size: 100 }, piece)
    expect(late.status).toBe(400)
  })
})
