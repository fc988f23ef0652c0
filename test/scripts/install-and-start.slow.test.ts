/** The first start of a clone: it fetches the packages, shows progress, and becomes the server. */
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { CTRL_C, HAS_TERMINAL, runOnTerminal } from '../support/operations/terminal.ts'

const ROOT = resolve(import.meta.dir, '../..')
const NOBODY = 65_534
/** An outer limit on a busy machine. */
setDefaultTimeout(120_000)

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Creates a clone whose only package comes from a registry that delays it, and whose server prints its arguments. */
async function openClone() {
  // Other tests in this process may have set a server's umask; another user must be able to read these files.
  const umask = process.umask(0o022)
  closers.push(() => process.umask(umask))
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-clone-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  for (const name of ['install-and-start.ts', 'install-progress.ts'])
    cpSync(join(ROOT, 'scripts/cli', name), join(folder, 'scripts/cli', name))
  const up = "import { installAndStart } from './cli/install-and-start.ts'\nawait installAndStart()"
  writeFileSync(join(folder, 'scripts/up.ts'), up)
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/main.ts'), 'console.log("serving", ...process.argv.slice(2))')
  const manifest = { name: 'one', version: '1.0.0' }
  const files = { 'package/package.json': JSON.stringify(manifest) }
  const archive = Bun.gzipSync(await new Bun.Archive(files).bytes())
  const integrity = `sha512-${new Bun.CryptoHasher('sha512').update(archive).digest('base64')}`
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'clone', dependencies: { one: '1.0.0' } }),
  )
  writeFileSync(
    join(folder, 'bun.lock'),
    JSON.stringify({
      lockfileVersion: 1,
      workspaces: { '': { name: 'clone', dependencies: { one: '1.0.0' } } },
      packages: { one: ['one@1.0.0', '', {}, integrity] },
    }),
  )
  const [requested, released, aborted] = [0, 1, 2].map(() => Promise.withResolvers<void>())
  const registry = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch({ signal }) {
      signal.addEventListener('abort', () => aborted?.resolve())
      requested?.resolve()
      await released?.promise
      return new Response(archive)
    },
  })
  closers.push(() => registry.stop(true))
  const home = join(folder, 'home')
  mkdirSync(home)
  return {
    folder,
    home,
    env: { HOME: home, PATH: process.env.PATH ?? '', npm_config_registry: registry.url.href },
    requested: requested?.promise,
    release: () => released?.resolve(),
    aborted: aborted?.promise,
  }
}

/** Starts `up` with its output in a pipe. */
function startUp(
  { folder, env }: Awaited<ReturnType<typeof openClone>>,
  bun: readonly string[] = [process.execPath],
) {
  const cmd = [...bun, '--no-env-file', join(folder, 'scripts/up.ts')]
  const child = Bun.spawn(cmd, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const stderr = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) printed += text
    return printed
  })()
  return { child, stdout: new Response(child.stdout).text(), stderr, printed: () => printed }
}

describe('up in a pipe', () => {
  test('immediately prints what it does, counts packages, and becomes the server on a terminal', async () => {
    const clone = await openClone()
    const { child, stdout, stderr, printed } = startUp(clone)
    while (!printed().includes('0 of about 1 have arrived')) {
      expect(child.exitCode).toBeNull()
      await Bun.sleep(20)
    }
    expect(printed()).toStartWith('Installing the packages…\n')
    clone.release()
    expect(await stdout).toBe('serving --with-sample --attended\n')
    expect(await child.exited).toBe(0)
    expect((await stderr).split('\n').slice(-2)).toEqual(['Installed the packages.', ''])
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends the installation with itself on %s', async (signal, code) => {
    const clone = await openClone()
    const { child, stdout, stderr } = startUp(clone)
    await clone.requested
    child.kill(signal)
    expect(await child.exited).toBe(code)
    // The registry notices that the client is gone.
    await clone.aborted
    expect(await stdout).toBe('')
    expect(await stderr).toEndWith('\nThe packages are not installed.\n')
  })

  test('names the registry if it cannot be reached', async () => {
    const clone = await openClone()
    clone.env.npm_config_registry = 'http://127.0.0.1:1'
    const { child, stdout, stderr } = startUp(clone)
    expect(await child.exited).toBe(1)
    expect(await stdout).toBe('')
    expect(await stderr).toContain('ConnectionRefused')
    expect(await stderr).toEndWith(
      'The packages could not be fetched. Check that this machine can reach the package registry, and HTTPS_PROXY if it needs a proxy, then run the command again.\n',
    )
  })

  test('names a folder that this user cannot write', async () => {
    const clone = await openClone()
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(clone.home, NOBODY, NOBODY)
    // Another user may have no access to this Bun.
    const bun = join(clone.folder, 'bun')
    cpSync(process.execPath, bun)
    chmodSync(clone.folder, 0o555)
    closers.push(() => chmodSync(clone.folder, 0o755))
    const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    clone.release()
    const { child, stderr } = startUp(clone, isRoot ? [...user, bun] : [bun])
    expect(await child.exited).toBe(1)
    expect(await stderr).toEndWith(
      `\nThis user cannot write to ${clone.folder}. Give the folder to this user, with chown, then run the command again.\n`,
    )
  })
})

describe.skipIf(!HAS_TERMINAL)('up on a terminal', () => {
  const scriptOf = ({ folder }: { folder: string }) =>
    relative(join(ROOT, 'scripts'), join(folder, 'scripts/up.ts'))

  test('redraws one line', async () => {
    const clone = await openClone()
    const wait = async () => void clone.release()
    const { code, lines } = await runOnTerminal(scriptOf(clone), clone.env, [
      ['0 of about 1 have arrived', wait],
    ])
    expect(code).toBe(0)
    const [redrawn = '', ...rest] = lines
    expect(rest).toEqual(['serving --with-sample --attended'])
    const [first, ...counts] = redrawn.split('\r')
    expect(first).toBe('Installing the packages…')
    expect(counts[0]).toStartWith('Installing the packages: 0 of about 1 have arrived (')
    expect(counts.at(-1)).toBe('Installed the packages.')
  })

  test('ends the installation on Ctrl-C', async () => {
    const clone = await openClone()
    const { code } = await runOnTerminal(scriptOf(clone), clone.env, [
      ['0 of about 1 have arrived', CTRL_C],
    ])
    expect(code).toBe(130)
    await clone.aborted
  })
})
