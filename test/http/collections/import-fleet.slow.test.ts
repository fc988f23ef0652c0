// Imports of one account on three servers that share a ledger.
import { beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { CHAOS_LIMIT_MS } from '../../support/chaos.ts'
import {
  createDatabaseSettings,
  type Importer,
  type ImportServer,
  renderTable,
  startImportServer,
} from '../../support/collections/import-server.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'
import { waitFor } from '../../support/wait-for.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

/** Rows of a file that takes a second. */
const ROWS = 6_000

describe.skipIf(!HAS_POSTGRES)('imports of an account on three servers', () => {
  let first: ImportServer
  let second: ImportServer
  let third: ImportServer
  /** Two collections of one account. */
  let box: Importer
  let binder: Importer

  beforeAll(async () => {
    const settings = await createDatabaseSettings()
    first = await startImportServer(settings)
    second = await startImportServer(settings)
    third = await startImportServer(settings)
  })
  beforeEach(async () => {
    const [importer] = await first.createImporters(1, 'business', '192.0.2.1')
    if (importer === undefined) throw new Error('the account is missing')
    box = importer
    binder = await first.addCollection(importer)
  })

  /**
   * Sends a file to the first server, and another one to the second, where it waits. Both resolve with their reports.
   *
   * @param onBegun called once the first file has begun
   */
  async function sendTwo({ signal, onBegun }: { signal?: AbortSignal; onBegun?: () => void } = {}) {
    const send = async (server: ImportServer, to: Importer, name: string) => {
      const sent = server.send(to, renderTable(ROWS, name), signal && { signal })
      const reply = await sent.catch(() => undefined)
      return reply && (await reply.json()).data
    }
    const running = send(first, box, 'row')
    await waitFor(async () => (await first.countItems(box)) > 0)
    onBegun?.()
    const waiting = send(second, binder, 'other')
    await waitFor(() => second.countOpenBodies() === 1)
    return { running, waiting }
  }

  test('run one after another; a third is refused before its file is read', async () => {
    // The file runs until the others are refused, however busy the machine is: its server is stopped for so long.
    const stop = () => process.kill(first.pid(), 'SIGSTOP')
    const { running, waiting } = await sendTwo({ onBegun: stop })
    for (const server of [second, third]) {
      const refused = await server.send(box, renderTable(10, 'more'))
      expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 5])
    }
    process.kill(first.pid(), 'SIGCONT')
    let stored = 0
    while (stored === 0) stored = await third.countItems(binder)
    expect(await third.countItems(box)).toBe(ROWS)
    for (const report of [await running, await waiting]) {
      expect(report).toMatchObject({ rows: ROWS, imported: ROWS })
    }
    expect(await third.countItems(binder)).toBe(ROWS)
    expect((await third.send(box, renderTable(10, 'more'))).status).toBe(200)
  })

  test('store the rows of a file once, however many servers get it', async () => {
    const servers = [first, second, third]
    const replies = await Promise.all(servers.map((one) => one.send(box, renderTable(ROWS))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    const reports = replies.filter(({ status }) => status === 200).map((reply) => reply.json())
    const repeated = (await Promise.all(reports)).map(({ data }) => [data.rows, data.is_repeated])
    expect(repeated.sort()).toEqual([
      [ROWS, false],
      [ROWS, true],
    ])
    expect(await first.countItems(box)).toBe(ROWS)
  })

  test('leave their places when their sender does', async () => {
    const leaving = new AbortController()
    const sent = await sendTwo({ signal: leaving.signal })
    leaving.abort()
    expect(await Promise.all([sent.running, sent.waiting])).toEqual([undefined, undefined])
    let reply = await third.send(box, renderTable(ROWS))
    while (reply.status === 429) reply = await third.send(box, renderTable(ROWS))
    expect((await reply.json()).data).toMatchObject({ rows: ROWS, imported: ROWS })
    expect(await third.countItems(box)).toBe(ROWS)
    // The waiting one has stored nothing.
    expect(await third.countItems(binder)).toBe(0)
  })

  test('go on after a kill of the server that runs one: on another server, and on its own', async () => {
    const { running, waiting } = await sendTwo()
    await first.kill()
    expect(await running).toBeUndefined()
    const stored = await third.countItems(box)
    expect(stored).toBeLessThan(ROWS)
    // It waits until the other server has been silent for long enough.
    expect(await waiting).toMatchObject({ rows: ROWS, imported: ROWS })
    await first.start()
    const { data } = await (await first.send(box, renderTable(ROWS))).json()
    expect(data).toMatchObject({ rows: ROWS, imported: ROWS, is_repeated: false })
    expect(await third.countItems(box)).toBe(ROWS)
  })

  test('are sixty an hour for all servers together', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 63; sent++) {
      const server = [first, second, third][sent % 3] as ImportServer
      statuses.push((await server.send(box, '1 Cindle')).status)
    }
    expect(statuses).toEqual([...Array(60).fill(200), 429, 429, 429])
  })
})
