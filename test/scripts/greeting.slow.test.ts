/** The first lines of a server: its addresses and the next step. */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { CTRL_C, HAS_TERMINAL, runOnTerminal } from '../support/operations/terminal.ts'
import { runProcess } from '../support/process.ts'
import { startServerProcess } from '../support/server-process.ts'

/** npx runs Bun from a separate folder, which is not on the terminal's PATH. */
const BUN = process.execPath.includes('/_npx/') ? 'npx -y bun@1.4.5' : 'bun'

const SAMPLE = pathToFileURL(resolve(import.meta.dir, '../../data/sample')).href

async function openPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-greeting-'))
  closeAfterUse(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await findFreePort()
  return { port, dataDir, settings: { DATA_DIR: dataDir, PORT: String(port) } }
}

const setupLines = (url: string) => [
  expect.stringMatching(new RegExp(`^  Set it up:      ${url}/setup#token=\\S{22}$`)),
  `                  or in another terminal: ${BUN} run setup`,
]

test.skipIf(!HAS_TERMINAL)('a terminal shows the addresses and the setup, and no log', async () => {
  const { port, settings } = await openPlace()
  const stop = ['run setup', CTRL_C] as const
  const { lines } = await runOnTerminal('start.ts --with-sample', settings, [stop])
  const url = `http://localhost:${port}`
  expect(lines).toEqual([
    'Loading the sample…',
    `  Cardstock serves 3 games at ${url}`,
    `  Try it:         curl ${url}/v1/games`,
    `  API reference:  ${url}/docs`,
    '  Stop it:        Ctrl-C',
    ...setupLines(url),
    // The terminal echoes what was typed.
    ...lines.slice(7),
  ])
  expect(lines.slice(7).join('')).toMatch(/^(\^C)?$/)
})

test('an empty server says where its cards can come from', async () => {
  const { port, dataDir, settings } = await openPlace()
  const start = async (lastLine: string, env: Record<string, string> = {}) => {
    const server = startServerProcess({ port, dataDir, env })
    closeAfterUse(server.kill)
    while (!server.output().includes(lastLine)) await Bun.sleep(20)
    await server.kill()
    return server.output()
  }
  expect(await start('run setup')).toContain('Cardstock serves 0 games')
  const answers = ['--mode', 'private', '--mirror', 'none', '--email', 'owner@shop.example']
  const args = [...answers, '--password', 'long enough']
  expect(await runProcess('scripts/setup.ts', { args, env: settings })).toMatchObject({ code: 0 })
  const url = `http://localhost:${port}`
  await start(`\n  Next step:      choose a mirror at ${url}/operator/settings\n`)
  const syncing = await start(
    `\n  First sync:     in the background; ${url}/operator shows its progress\n`,
    { UPSTREAM_URL: SAMPLE },
  )
  // Unlike on a terminal, the log is printed.
  expect(syncing).toContain('"event":"search index task started"')
})

test('each start prints a new token of the setup, and the first operator ends them all', async () => {
  const { port, dataDir } = await openPlace()
  async function start() {
    const server = startServerProcess({ port, dataDir })
    closeAfterUse(server.kill)
    let token: string | undefined
    while (token === undefined) {
      await Bun.sleep(20)
      token = /#token=(\S{22})\n/.exec(server.output())?.[1]
    }
    return { ...server, token }
  }
  const first = await start()
  await first.kill()
  const { token, url } = await start()
  expect(token).not.toBe(first.token)
  const setUp = async (token: string, email: string) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ token, email, password: 'long enough' })
    return (await fetch(`${url}/v1/auth/setup`, { method: 'POST', headers, body })).status
  }
  expect(await setUp('a'.repeat(22), 'owner@shop.example')).toBe(401)
  expect(await setUp(first.token, 'owner@shop.example')).toBe(201)
  expect(await setUp(token, 'other@shop.example')).toBe(409)
})

describe('a server that `up` has started', () => {
  async function startAttended(env: Record<string, string>) {
    const { port, dataDir } = await openPlace()
    const server = startServerProcess({ port, dataDir, env, args: ['--with-sample', '--attended'] })
    closeAfterUse(server.kill)
    while (!server.output().includes('run setup')) await Bun.sleep(20)
    return { ...server, url: `http://localhost:${port}` }
  }

  test('prints text in a pipe, too, with the setup last and no log', async () => {
    const { url, output } = await startAttended({ LOG_LEVEL: '' })
    expect(output().split('\n').filter(Boolean)).toEqual([
      'Loading the sample…',
      `  Cardstock serves 3 games at ${url}`,
      `  Try it:         curl ${url}/v1/games`,
      `  API reference:  ${url}/docs`,
      ...setupLines(url),
    ])
  })

  test('logs text in all its threads if configured', async () => {
    const { output } = await startAttended({ LOG_LEVEL: 'info' })
    const log = output()
      .split('\n')
      .filter((line) => /^[\d{]/.test(line))
    expect(log.length).toBeGreaterThan(0)
    for (const line of log) expect(line).toMatch(/^\d\d:\d\d:\d\d info {2}/)
  })
})
