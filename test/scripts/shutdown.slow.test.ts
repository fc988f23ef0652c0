// The end of the server: a signal under load, and failures while it runs or stops.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { type LoadResult, runLoadClient, watchClients } from '../support/load-clients.ts'
import { type ServerOptions, startServerProcess } from '../support/server-process.ts'

setDefaultTimeout(120_000)

const tempFolder = () => createTempFolder('cardstock-stop-')

async function openServer(options: Partial<ServerOptions> = {}) {
  const port = await findFreePort()
  const server = startServerProcess({ dataDir: tempFolder(), ...options, port })
  closeAfterUse(server.kill)
  await server.ready()
  return server
}

const errorsIn = (stderr: string) =>
  stderr.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    const { level, event } = JSON.parse(line)
    return level === 'error' ? [event] : []
  })

describe('SIGTERM under load', () => {
  /** Stops a server under 16 clients. */
  async function stopUnderLoad(isKept: (client: number) => boolean) {
    const { exited, port, signal } = await openServer()
    const result: LoadResult = { answered: 0, failed: [], refused: 0, lost: [] }
    const clients = Array.from({ length: 16 }, (_, index) =>
      runLoadClient(port, { keepAlive: isKept(index) }, result),
    )
    while (result.answered < 300) await Bun.sleep(5)
    const endWatch = watchClients()
    const stopped = performance.now()
    signal('SIGTERM')
    await Promise.all(clients)
    const isConclusive = endWatch()
    return { code: await exited(), ms: performance.now() - stopped, isConclusive, ...result }
  }

  test.each([
    ['keep their connections', () => true],
    ['open one for each request', () => false],
    ['do either', (client: number) => client % 2 === 0],
  ])('loses no request of clients that %s', async (_, isKept) => {
    for (;;) {
      const { code, ms, failed, refused, lost, isConclusive } = await stopUnderLoad(isKept)
      if (lost.length > 0 && !isConclusive) continue
      expect({ code, failed, refused, lost }).toEqual({
        code: 0,
        failed: [],
        refused: 16,
        lost: [],
      })
      expect(ms).toBeLessThan(20_000)
      return
    }
  })

  test('answers an upload that had begun', async () => {
    const { exited, port, signal } = await openServer()
    const upload = await beginUpload(port)
    signal('SIGTERM')
    while ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined)) !== undefined)
      await Bun.sleep(20)
    expect(await upload.finish()).toStartWith('HTTP/1.1 401 ')
    expect(await exited()).toBe(0)
  })
})

/** Begins a login that the server answers once its body is complete. Resolves when the server reads the body. */
async function beginUpload(port: number) {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let received = ''
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, chunk) {
        received += chunk.toString()
        if (received === CONTINUE) begun.resolve()
      },
      close: () => ended.resolve(),
    },
  })
  const body = JSON.stringify({ email: 'ann@example.com', password: 'long enough' })
  socket.write(
    `POST /v1/auth/login HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 9)}`,
  )
  await begun.promise
  return {
    /** Returns the response, once the server has closed the connection. */
    async finish(): Promise<string> {
      socket.write(body.slice(9))
      await ended.promise
      return received.slice(CONTINUE.length)
    },
  }
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

describe('a failure', () => {
  test('while stopping ends the process with an error in the log and exit code 1', async () => {
    const dataDir = tempFolder()
    const { output, stop, url } = await openServer({ dataDir })
    const json = { 'content-type': 'application/json' }
    const account = JSON.stringify({ email: 'ann@example.com', password: 'long enough' })
    await fetch(`${url}/v1/auth/register`, { method: 'POST', headers: json, body: account })
    const login = await fetch(`${url}/v1/auth/login`, {
      method: 'POST',
      headers: json,
      body: account,
    })
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const made = await fetch(`${url}/v1/keys`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: '{"name":"one"}',
    })
    const { data } = (await made.json()) as { data: { key: string } }
    const found = await fetch(`${url}/v1/search?q=mari`, { headers: { 'X-API-Key': data.key } })
    expect(found.status).toBe(200)
    // Blocks writes to the ledger, so that unspent quota cannot be returned.
    const blocker = new Database(join(dataDir, 'ledger.db'))
    blocker.exec('BEGIN IMMEDIATE')
    expect(await stop()).toBe(1)
    blocker.close()
    expect(errorsIn(output())).toContain('failed to return unspent quota')
  })

  /** Throws or rejects on signals without another meaning. */
  function preloadFaults(): string {
    const path = join(tempFolder(), 'faults.ts')
    writeFileSync(
      path,
      `process.on('SIGUSR2', () => { throw new Error('a planted exception') })
       process.on('SIGWINCH', () => void Promise.reject(new Error('a planted rejection')))`,
    )
    return path
  }

  test('that nothing catches stops the server in order, with exit code 1', async () => {
    const { exited, output, signal } = await openServer({ preload: preloadFaults() })
    signal('SIGUSR2')
    expect(await exited()).toBe(1)
    const text = output()
    expect(errorsIn(text)).toEqual(['uncaught exception'])
    expect(text).toContain('a planted exception')
    expect(text).toContain('"event":"stopping","reason":"uncaught exception"')
  })

  test('of a promise is logged, and the server continues', async () => {
    const { output, signal, stop, url } = await openServer({ preload: preloadFaults() })
    signal('SIGWINCH')
    while (!output().includes('a planted rejection')) await Bun.sleep(5)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(await stop()).toBe(0)
    expect(errorsIn(output())).toEqual(['unhandled rejection'])
  })

  test('of a promise while stopping ends the process with exit code 1', async () => {
    const { exited, output, port, signal } = await openServer({ preload: preloadFaults() })
    const upload = await beginUpload(port)
    signal('SIGTERM')
    while (!output().includes('"event":"stopping"')) await Bun.sleep(5)
    signal('SIGWINCH')
    while (!output().includes('a planted rejection')) await Bun.sleep(5)
    await upload.finish()
    expect(await exited()).toBe(1)
    expect(errorsIn(output())).toEqual(['unhandled rejection'])
  })
})
