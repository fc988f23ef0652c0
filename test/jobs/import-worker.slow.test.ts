// The thread of imports: what it keeps away from requests, and how it starts and ends.
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { createImportWorker } from '#jobs/import-worker.ts'
import { IMPORT_PRIORITY } from '#vision/runtime/thread-priority.ts'
import { createHeldCollection } from '../contract/holdings.ts'
import { createTempFolder } from '../support/closers.ts'
import { readThreadPriorities, readThreads } from '../support/operations/thread-priorities.ts'
import { createTestApp, createTestLog, type LogLine } from '../support/test-app.ts'
import { waitFor } from '../support/wait-for.ts'

const testApp = await createTestApp({ onDisk: true })
const held = await createHeldCollection(testApp, 'pro')

/** Lets the app import in a thread. */
function useThread() {
  const worker = createImportWorker(testApp.deps)
  testApp.deps.triggers.imports.attach(worker)
  return worker
}

const send = (body: string) =>
  testApp.client.request('POST', `/v1/collections/${held.id}/import`, {
    as: 'pro',
    headers: { 'content-type': 'text/csv' },
    body,
  })

/** Returns a list of less than 64 KB. */
const listOf = (name: string) =>
  Array.from({ length: 900 }, (_, line) => `${1 + line} Cindle (${name}) 7/49 [wxyz]`).join('\n')

test('a thread imports a table, and says why one is refused', async () => {
  const worker = useThread()
  const rows = Array.from({ length: 150 }, (_, row) => `1,Cindle,Tidepool Parade,row ${row}`)
  const file = ['Quantity,Name,Set Name,Note', ...rows].join('\n')
  expect((await send(file)).body.data).toMatchObject({ rows: 150, imported: 150, is_full: false })
  expect((await send(file)).body.data).toMatchObject({ imported: 150, is_repeated: true })
  const broken = await send(file.replace('Quantity,Name', 'Quantity,Color'))
  expect(broken.status).toBe(400)
  expect(broken.body.error).toMatchObject({ code: 'VALIDATION_ERROR' })
  worker.close()
})

test('a short list costs the thread of requests next to nothing', async () => {
  const worker = useThread()
  await send('1 Cindle')
  const [own, all] = [process.threadCpuUsage(), process.cpuUsage()]
  const { body } = await send(listOf('ABC'))
  const [ownUsed, allUsed] = [process.threadCpuUsage(own), process.cpuUsage(all)]
  expect(body.data).toMatchObject({ rows: 900 })
  expect(ownUsed.user + ownUsed.system).toBeLessThan((allUsed.user + allUsed.system) / 4)
  worker.close()
})

test('the thread ends after a time without imports, and starts again with the next', async () => {
  const log: LogLine[] = []
  const worker = createImportWorker({ ...testApp.deps, log: createTestLog(log) }, 0)
  testApp.deps.triggers.imports.attach(worker)
  for (const count of [1, 2]) {
    expect((await send(`1 Cindle (A${count})`)).body.data).toMatchObject({ rows: 1 })
    await waitFor(() => log.length === count)
  }
  expect(log.map(({ event }) => event)).toEqual(['import thread ended', 'import thread ended'])
  worker.close()
})

test.skipIf(process.platform !== 'linux')(
  'the thread lets the thread of requests and the photo reader go first',
  async () => {
    const worker = useThread()
    await send('1 Cindle (F99)')
    const { main, all } = readThreadPriorities()
    expect(main).toBe(getPriority())
    expect(Math.max(...all)).toBe(IMPORT_PRIORITY)
    expect(IMPORT_PRIORITY).toBeGreaterThan(constants.priority.PRIORITY_BELOW_NORMAL)
    worker.close()
  },
)

test.skipIf(process.platform !== 'linux')(
  'only threads with the priority of requests, which wait for its lock, write the ledger',
  async () => {
    const worker = useThread()
    await send('1 Cindle (G99)')
    const before = new Map(readThreads().map(({ id, written }) => [id, written]))
    const rows = Array.from({ length: 400 }, (_, row) => `1,Cindle,Tidepool Parade,line ${row}`)
    const { body } = await send(['Quantity,Name,Set Name,Note', ...rows].join('\n'))
    expect(body.data).toMatchObject({ imported: 400 })
    const threads = readThreads().map(({ id, nice, written }) => {
      return { nice, bytes: written - (before.get(id) ?? 0) }
    })
    const writers = threads.filter(({ bytes }) => bytes > 100_000)
    expect(new Set(writers.map(({ nice }) => nice))).toEqual(new Set([getPriority()]))
    const readers = threads.filter(({ nice }) => nice === IMPORT_PRIORITY)
    expect(readers.length).toBeGreaterThan(0)
    for (const { bytes } of readers) expect(bytes).toBeLessThan(10_000)
    worker.close()
  },
)

test('an import that the thread cannot begin is 503, and the next one tries again', async () => {
  const dataDir = join(createTempFolder('cardstock-import-'), 'file')
  writeFileSync(dataDir, '')
  const config = { ...testApp.deps.config, dataDir }
  const worker = createImportWorker({ ...testApp.deps, config })
  testApp.deps.triggers.imports.attach(worker)
  for (const name of ['C', 'D']) {
    const { status, headers, body } = await send(`1 Cindle (${name}99)`)
    expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE'])
    expect(body.error.message).toContain('Send the same request again')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  worker.close()
})

test('an import is 503 while the server stops', async () => {
  const worker = useThread()
  const running = send(listOf('XYZ'))
  await Bun.sleep(0)
  worker.close()
  expect((await running).status).toBe(503)
  testApp.deps.triggers.imports.attach(undefined)
  expect((await send('1 Cindle (E99)')).status).toBe(503)
})
