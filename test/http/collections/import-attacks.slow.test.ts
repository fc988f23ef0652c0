// Imports against a server: many at once, large ones, senders who leave, kills and stops.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CHAOS_LIMIT_MS, sizedFor } from '../../support/chaos.ts'
import {
  type Importer,
  type ImportServer,
  LEDGER_SETTINGS,
  renderList,
  renderTable,
  sendUntilAnswered,
  startImportServer,
} from '../../support/collections/import-server.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { openSmallDisk } from '../../support/operations/small-disk.ts'
import { waitFor } from '../../support/wait-for.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const MB = 1024 * 1024
const ATTACKERS = 16
const FILES_EACH = 12

/**
 * Counts responses by status, and those that have not arrived. A busy database refuses a request with 503, like 429 with
 * the time after which to send it again; any other response has its text as its key.
 */
function countStatuses(requests: Promise<Response>[]) {
  const statuses: Record<string, number> = {}
  let open = requests.length
  const ended = requests.map(async (request) => {
    const response = await request.finally(() => open--)
    const isExpected = response.status === 200 || response.headers.has('retry-after')
    const key = isExpected ? response.status : `${response.status} ${await response.text()}`
    statuses[key] = (statuses[key] ?? 0) + 1
  })
  return { statuses, open: () => open, ended: Promise.all(ended) }
}

type Sender = (send: () => Promise<Response>) => Promise<Response>

/** Sends lists of several accounts at once, each on a connection of its own. */
const flood = (
  server: ImportServer,
  attackers: readonly Importer[],
  files: number,
  sendBy: Sender = (send) => send(),
) =>
  countStatuses(
    attackers.flatMap((attacker, index) =>
      Array.from({ length: files }, (_, file) =>
        sendBy(() => server.sendAlone(attacker, renderList(450, `A${index}B${file}`))),
      ),
    ),
  )

/** Returns the names of the bodies in the data folder. */
const listBodies = ({ dataDir }: ImportServer) => readdirSync(join(dataDir, 'uploads'))

describe.each(LEDGER_SETTINGS)('imports on %s', (_, settingsOf) => {
  test('of many accounts at once take neither the event loop nor the memory', async () => {
    const server = await startImportServer(await settingsOf())
    const attackers = await server.createImporters(ATTACKERS, 'free', '192.0.2.1')
    const [bystander] = await server.createImporters(1, 'free', '198.51.100.1')
    if (bystander === undefined) throw new Error('the account is missing')
    // Starts the thread.
    expect((await server.send(bystander, renderTable(10))).status).toBe(200)
    const rest = server.memory()
    server.resetPeak()
    const before = server.mainThread().cpu
    const attack = flood(server, attackers, FILES_EACH, sendUntilAnswered)
    await waitFor(() => (attack.statuses[429] ?? 0) > ATTACKERS)
    const reply = await sendUntilAnswered(() => server.send(bystander, renderTable(100)))
    expect((await reply.json()).data).toMatchObject({ rows: 100, imported: 100 })
    // It did not wait for the others.
    expect(attack.open()).toBeGreaterThanOrEqual(ATTACKERS)
    await attack.ended
    const { 200: imported = 0, 429: refused = 0, ...others } = attack.statuses
    expect([imported + refused, others]).toEqual([ATTACKERS * FILES_EACH, {}])
    expect(imported).toBeLessThanOrEqual(3 * ATTACKERS)
    expect((server.peakMemory() - rest) / MB).toBeLessThan(200)
    // In the event loop, a list takes a quarter of a second.
    expect((server.mainThread().cpu - before) / imported).toBeLessThan(0.1)
    expect(listBodies(server)).toEqual([])
  })

  test('of 18 MB that run or wait leave the memory of uploads to others', async () => {
    const server = await startImportServer(await settingsOf())
    const networks = ['192.0.2.1', '192.0.2.1', '203.0.113.1', '203.0.113.1', '198.51.100.7']
    const attackers = await Promise.all(
      networks.map(async (address) => (await server.createImporters(1, 'business', address))[0]),
    )
    const [bystander] = await server.createImporters(1, 'business', '198.51.100.1')
    if (bystander === undefined) throw new Error('the account is missing')
    const file = `Name\n${'Nobody at all\n'.repeat((18 * MB) / 14)}`
    const leaving = new AbortController()
    const gone = attackers.map(
      (one) => one && server.send(one, file, { signal: leaving.signal }).catch(() => 'gone'),
    )
    await waitFor(() => server.countOpenBodies() === attackers.length)
    const body = renderTable(450, 'a note that makes the file larger than 64 KB '.repeat(4))
    const resolved = await server.request('/v1/bulk/resolve/csv', bystander, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body,
    })
    expect([body.length > 65_536, resolved.status]).toEqual([true, 200])
    expect((await server.send(bystander, body)).status).toBe(200)
    expect(server.countOpenBodies()).toBe(attackers.length)
    leaving.abort()
    expect(await Promise.all(gone)).toEqual(attackers.map(() => 'gone'))
    await waitFor(() => server.countOpenBodies() === 0)
  })

  test('end when their sender leaves, and the same file continues', async () => {
    const server = await startImportServer(await settingsOf())
    const [sender] = await server.createImporters(1, 'business', '192.0.2.1')
    if (sender === undefined) throw new Error('the account is missing')
    const leaving = new AbortController()
    const gone = await sendTwo(server, sender, leaving.signal)
    leaving.abort()
    expect(await Promise.all(gone)).toEqual(['gone', 'gone'])
    // An account runs one import at a time, so the others have ended.
    const short = await repeatWhileBusy(() => server.send(sender, renderTable(10, 'short')))
    expect(short.status).toBe(200)
    const stored = await server.countItems(sender)
    expect(stored).toBeLessThan(ROWS)
    expect(server.countOpenBodies()).toBe(0)
    const { data } = await (await server.send(sender, renderTable(ROWS))).json()
    expect(data).toMatchObject({ rows: ROWS, imported: ROWS, is_repeated: false })
    // The waiting one has stored nothing.
    expect(await server.countItems(sender)).toBe(ROWS + 10)
  })

  test('survive a kill: rows once, the limit kept, and no body left', async () => {
    const server = await startImportServer(await settingsOf())
    const [sender] = await server.createImporters(1, 'business', '192.0.2.1')
    if (sender === undefined) throw new Error('the account is missing')
    const gone = await sendTwo(server, sender)
    await server.kill()
    expect(await Promise.all(gone)).toEqual(['gone', 'gone'])
    expect(listBodies(server)).toEqual([])
    await server.start()
    const stored = await server.countItems(sender)
    expect(stored).toBeGreaterThan(0)
    expect(stored).toBeLessThan(ROWS)
    const { data } = await (await server.send(sender, renderTable(ROWS))).json()
    expect(data).toMatchObject({ rows: ROWS, imported: ROWS })
    expect(await server.countItems(sender)).toBe(ROWS)
    // Three of the 60 in an hour are used.
    let more = 0
    while ((await server.send(sender, '1 Cindle')).status === 200) more++
    expect(more).toBe(57)
  })

  test('do not delay the stop of the server', async () => {
    const accounts = sizedFor(40, 480)
    const server = await startImportServer(await settingsOf())
    const senders = await server.createImporters(accounts, 'free', '192.0.2.1')
    const imports = flood(server, senders, 2)
    await waitFor(() => server.countOpenBodies() > accounts)
    server.signal('SIGTERM')
    await imports.ended
    const {
      200: imported = 0,
      503: interrupted = 0,
      429: refused = 0,
      ...others
    } = imports.statuses
    expect(others).toEqual({})
    expect(imported + interrupted + refused).toBe(2 * accounts)
    expect(interrupted).toBeGreaterThan(0)
    // It would be 1 after 30 seconds.
    expect(await server.exited()).toBe(0)
  })
})

/** Rows of a file that takes a second. */
const ROWS = 6_000

/** Sends a file that runs and another one that waits, and resolves once both do. */
async function sendTwo(server: ImportServer, sender: Importer, signal?: AbortSignal) {
  const send = (name: string) =>
    server.send(sender, renderTable(ROWS, name), signal && { signal }).catch(() => 'gone')
  const running = send('row')
  await waitFor(async () => (await server.countItems(sender)) > 0)
  const waiting = send('other')
  await waitFor(() => server.countOpenBodies() === 2)
  return [running, waiting]
}

/** Repeats a request while the places of its account are taken. */
async function repeatWhileBusy(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const reply = await send()
    if (reply.status !== 429) return reply
    await Bun.sleep(10)
  }
}

test('bodies that the disk has no room for are 503 and leave nothing behind', async () => {
  const disk = openSmallDisk(96)
  closeAfterUse(disk.close)
  const server = await startImportServer({}, join(disk.folder, 'data'))
  const [sender, other] = await server.createImporters(2, 'business', '192.0.2.1')
  if (sender === undefined || other === undefined) throw new Error('an account is missing')
  const running = server.send(sender, renderTable(ROWS))
  await waitFor(async () => (await server.countItems(sender)) > 0)
  disk.fill(server.pid())
  const refused = await server.send(other, renderTable(2_000))
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true])
  expect(server.countOpenBodies()).toBeLessThanOrEqual(1)
  const { status } = await running
  expect([200, 503]).toContain(status)
  disk.free(server.pid())
  const { data } = await (await server.send(sender, renderTable(ROWS))).json()
  expect(data).toMatchObject({ rows: ROWS, imported: ROWS })
  expect(await server.countItems(sender)).toBe(ROWS)
  expect((await server.send(other, renderTable(2_000))).status).toBe(200)
  expect([listBodies(server), server.countOpenBodies()]).toEqual([[], 0])
})
