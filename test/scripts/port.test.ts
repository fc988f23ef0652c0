// The port of the server: in use, shared on purpose, or not available.
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPortProblem } from '#actions/operations/claim-port.ts'
import { describePortProblem } from '#rules/operations/port-problem.ts'
import { findFreePort } from '../support/free-port.ts'
import { type ServerOptions, startServerProcess } from '../support/server-process.ts'

setDefaultTimeout(60_000)

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-port-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function start(options: ServerOptions) {
  const server = startServerProcess(options)
  closers.push(server.kill)
  return server
}

/** Expects that a server ends with one sentence, before it touches its data folder. */
async function expectRefusal(options: ServerOptions, sentence: string): Promise<void> {
  const { child, stderr } = start(options)
  expect(await child.exited).toBe(1)
  const text = await stderr
  expect(text.trim().split('\n')).toHaveLength(1)
  expect(text).toContain(sentence)
  expect(text).not.toMatch(/\n\s+at |node_modules/)
}

const SHARED = { SHARE_PORT: 'on' }

describe('a port in use', () => {
  test('ends the second server at once, before it creates its files', async () => {
    const port = await findFreePort()
    const first = start({ port, dataDir: tempFolder() })
    await first.ready()
    const dataDir = join(tempFolder(), 'new')
    const inUse = `Cannot listen on port ${port} of 127.0.0.1: another program`
    await expectRefusal({ port, dataDir }, inUse)
    expect(existsSync(dataDir)).toBe(false)
    // The first one has not agreed to share.
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
      closers.push(() => other.stop(true))
      const port = other.port ?? 0
      await expectRefusal({ port, dataDir: tempFolder() }, 'Cannot listen on port')
      await expectRefusal({ port, dataDir: tempFolder(), env: SHARED }, 'Cannot share port')
    }
  })
})

describe('SHARE_PORT', () => {
  test('lets a server with the same data folder share the port, which the log reports', async () => {
    const [port, dataDir] = [await findFreePort(), tempFolder()]
    const first = start({ port, dataDir, env: SHARED })
    await first.ready()
    const second = { host: '127.0.0.1', port, sharePort: true }
    expect(await findPortProblem({ ...second, dataDir })).toBeUndefined()
    expect(await findPortProblem({ ...second, dataDir: tempFolder() })).toContain('Cannot share')
    first.child.kill('SIGTERM')
    await first.child.exited
    expect(await first.stderr).toContain('"event":"the port is shared"')
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
    'Cannot listen on port 80 of 0.0.0.0: this user may not. Set PORT to 1024 or higher, and put a proxy in front.',
  )
  expect(describePortProblem('EMFILE', refused)).toContain('(EMFILE)')
})
