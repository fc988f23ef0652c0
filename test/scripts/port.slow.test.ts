// The port of the server: in use, shared on purpose, or unavailable.
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findPortProblem } from '#actions/operations/claim-port.ts'
import { probeLocal } from '#outbound/probes.ts'
import { describePortProblem, PORT_OWNER_PATH } from '#rules/operations/port-problem.ts'
import { isRecord } from '#rules/primitives/json-record.ts'
import { folderFingerprint } from '#store/files/data-folder.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { type LoadResult, runLoadClient, watchClients } from '../support/load-clients.ts'
import { type ServerOptions, startServerProcess } from '../support/server-process.ts'

const tempFolder = () => createTempFolder('cardstock-port-')

function start(options: ServerOptions) {
  const server = startServerProcess(options)
  closeAfterUse(server.kill)
  return server
}

/** Expects that a server ends with one sentence, before it accesses its data folder. */
async function expectRefusal(options: ServerOptions, sentence: string): Promise<void> {
  const server = start(options)
  expect(await server.exited()).toBe(1)
  const text = server.output()
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(text).toContain(sentence)
  expect(text).not.toMatch(/\n\s+at |node_modules/)
}

const SHARED = { SHARE_PORT: 'on' }
const LOCAL = { host: '127.0.0.1', sharePort: true }

/**
 * Returns the name of the process that answers on a new connection; undefined without one. Does not use `fetch`,
 * which would reuse its first connection and always reach the same process.
 */
async function getOnce(port: number): Promise<string | undefined> {
  const answer = await probeLocal('127.0.0.1', port, PORT_OWNER_PATH)
  if (answer.kind === 'response' && isRecord(answer.value)) return String(answer.value.salt)
  await Bun.sleep(20)
  return undefined
}

describe('a port in use', () => {
  test('ends the second server at once, before it creates its files', async () => {
    const port = await findFreePort()
    const first = start({ port, dataDir: tempFolder() })
    await first.ready()
    const dataDir = join(tempFolder(), 'new')
    const inUse = `Cannot listen on port ${port} of 127.0.0.1: another program`
    await expectRefusal({ port, dataDir }, inUse)
    expect(existsSync(dataDir)).toBe(false)
    // The first server does not allow sharing.
    await expectRefusal({ port, dataDir, env: SHARED }, `Cannot share port ${port}`)
    await expectRefusal({ port, dataDir, env: { HOST: '0.0.0.0' } }, `port ${port} of 0.0.0.0`)
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
  })

  test('by another program ends the server, also if that program shares its port', async () => {
    for (const reusePort of [false, true]) {
      const other = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        reusePort,
        fetch: () => new Response('{}'),
      })
      closeAfterUse(() => other.stop(true))
      const port = other.port ?? 0
      await expectRefusal({ port, dataDir: tempFolder() }, 'Cannot listen on port')
      await expectRefusal({ port, dataDir: tempFolder(), env: SHARED }, 'Cannot share port')
    }
  })
})

describe('SHARE_PORT', () => {
  /** Stops one of two servers under 8 clients, and then the other one. */
  async function stopInTurn() {
    const [port, dataDir] = [await findFreePort(), tempFolder()]
    const servers = [0, 1].map(() => start({ port, dataDir, env: SHARED }))
    // The kernel chooses a server for each new connection.
    const answering = new Set<string>()
    while (answering.size < 2) {
      const name = await getOnce(port)
      if (name !== undefined) answering.add(name)
      for (const { hasEnded } of servers) expect(hasEnded()).toBe(false)
    }
    const result: LoadResult = { answered: 0, failed: [], refused: 0, lost: [] }
    let isOver = false
    const clients = Array.from({ length: 8 }, (_, index) =>
      runLoadClient(port, { keepAlive: index % 2 === 0, isOver: () => isOver }, result),
    )
    const endWatch = watchClients()
    const [first, second] = servers
    expect(await first?.stop()).toBe(0)
    const before = result.answered
    while (result.answered < before + 100) await Bun.sleep(5)
    isOver = true
    await Promise.all(clients)
    const isConclusive = endWatch()
    // The other one still refuses unknown users.
    expect(await findPortProblem({ ...LOCAL, port, dataDir: tempFolder() })).toContain('Cannot')
    expect(await second?.stop()).toBe(0)
    for (const { output } of servers) expect(output()).toContain('"the port is shared"')
    return { isConclusive, ...result }
  }

  test('lets two servers answer in turn, and either stop without a failure of a request', async () => {
    for (;;) {
      const { isConclusive, ...result } = await stopInTurn()
      if (result.lost.length > 0 && !isConclusive) continue
      expect(result).toMatchObject({ failed: [], refused: 0, lost: [] })
      return
    }
  })

  test('lets a server with the same data folder share the port, which the log reports', async () => {
    const [port, dataDir] = [await findFreePort(), tempFolder()]
    const first = start({ port, dataDir, env: SHARED })
    await first.ready()
    expect(await findPortProblem({ ...LOCAL, port, dataDir })).toBeUndefined()
    expect(await findPortProblem({ ...LOCAL, port, dataDir: tempFolder() })).toContain('Cannot')
    await first.stop()
    expect(first.output()).toContain('"event":"the port is shared"')
  })

  test('opens a connection for each request, because one server would otherwise answer all', async () => {
    const dataDir = tempFolder()
    const salt = 'any'
    const body = JSON.stringify({ salt, folder: folderFingerprint(dataDir, salt) })
    let connections = 0
    const other = createServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.on('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
      )
    })
    closeAfterUse(() => other.close())
    const port = await findFreePort()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    expect(await findPortProblem({ ...LOCAL, port, dataDir })).toBeUndefined()
    expect(connections).toBe(16)
  })

  test('refuses a server with another data folder', async () => {
    const port = await findFreePort()
    const first = start({ port, dataDir: tempFolder(), env: SHARED })
    await first.ready()
    const sentence = 'a server without SHARE_PORT or with another data folder'
    await expectRefusal({ port, dataDir: tempFolder(), env: SHARED }, sentence)
    await expectRefusal({ port, dataDir: tempFolder() }, 'Cannot listen on port')
  })
})

test.each([
  ['no.such.host.invalid', 'this machine has no such address'],
  ['203.0.113.7', 'this machine has no such address'],
])('HOST %s ends the server with one sentence', async (HOST, sentence) => {
  const port = await findFreePort()
  await expectRefusal({ port, dataDir: tempFolder(), env: { HOST } }, sentence)
})

test('a port that needs more rights is refused with one sentence', () => {
  const refused = { host: '0.0.0.0', port: 80, sharePort: false }
  expect(describePortProblem('EACCES', refused)).toBe(
    'Cannot listen on port 80 of 0.0.0.0: this user has no permission. Set PORT to 1024 or higher, and put a proxy in front.',
  )
  expect(describePortProblem('EMFILE', refused)).toContain('(EMFILE)')
})
