/** The first lines of a server: its addresses, and the next step. */
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findFreePort } from '../support/free-port.ts'
import { CTRL_C, HAS_TERMINAL, runOnTerminal } from '../support/operations/terminal.ts'
import { runProcess } from '../support/process.ts'
import { startServerProcess } from '../support/server-process.ts'

/** npx runs Bun from a folder of its own, where a terminal does not find it. */
const BUN = process.execPath.includes('/_npx/') ? 'npx -y bun@1.4.5' : 'bun'

const SAMPLE = pathToFileURL(resolve(import.meta.dir, '../../data/sample')).href

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openPlace() {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-greeting-'))
  closers.push(() => rmSync(dataDir, { recursive: true, force: true }))
  const port = await findFreePort()
  return { port, dataDir, settings: { DATA_DIR: dataDir, PORT: String(port) } }
}

test.skipIf(!HAS_TERMINAL)('a terminal shows the addresses and the setup, and no log', async () => {
  const { port, settings } = await openPlace()
  const stop = ['Ctrl-C', CTRL_C] as const
  const { lines } = await runOnTerminal('start.ts --with-sample', settings, [stop])
  const url = `http://localhost:${port}`
  expect(lines).toEqual([
    `  Cardstock serves 3 games at ${url}`,
    expect.stringMatching(new RegExp(`^  Set it up:      ${url}/setup#token=\\S{22}$`)),
    `                  or in another terminal: ${BUN} run setup`,
    `  Try it:         curl ${url}/v1/games`,
    `  API reference:  ${url}/docs`,
    '  Stop it:        Ctrl-C',
    // The terminal shows what was typed.
    ...lines.slice(6),
  ])
  expect(lines.slice(6).join('')).toMatch(/^(\^C)?$/)
})

test('an empty server says where its cards can come from', async () => {
  const { port, dataDir, settings } = await openPlace()
  const start = async (env: Record<string, string> = {}) => {
    const server = startServerProcess({ port, dataDir, env })
    closers.push(server.kill)
    while (!server.output().includes('API reference')) await Bun.sleep(20)
    await server.kill()
    return server.output()
  }
  expect(await start()).toContain('Cardstock serves 0 games')
  const answers = ['--mode', 'private', '--mirror', 'none', '--email', 'owner@shop.example']
  const args = [...answers, '--password', 'long enough']
  expect(await runProcess('scripts/setup.ts', { args, env: settings })).toMatchObject({ code: 0 })
  const url = `http://localhost:${port}`
  expect(await start()).toContain(`  Next step:      choose a mirror at ${url}/operator/settings\n`)
  const syncing = await start({ UPSTREAM_URL: SAMPLE })
  expect(syncing).toContain(
    `  First sync:     in the background; ${url}/operator shows its progress`,
  )
  // Unlike on a terminal, the log is there.
  expect(syncing).toContain('"event":"search index task started"')
})
