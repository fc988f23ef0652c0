/**
 * The single-file executable, alone in a folder. Compiling takes a while: CARDSTOCK_EXECUTABLE=on
 * enables it.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { embeddedFiles, WORKER_URL } from '../../scripts/executable/embedded-paths.ts'
import { findFreePort } from '../support/free-port.ts'

const ROOT = resolve(import.meta.dir, '../..')
/** An outer limit on a busy machine. */
setDefaultTimeout(120_000)

test('every thread is started in the form that the compiler recognizes', async () => {
  for await (const path of new Bun.Glob('src/**/*.ts').scan(ROOT)) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    const urls = text.match(/new URL\('[^']+\.ts'/g) ?? []
    expect({ path, threads: text.match(WORKER_URL)?.length ?? 0 }).toEqual({
      path,
      threads: urls.length,
    })
  }
})

test('code refers to files by their path in the tree, and to its threads in the executable', async () => {
  const entry = join(ROOT, 'src/vision/worker/reader.ts')
  const built = await Bun.build({
    entrypoints: [entry, join(ROOT, 'src/vision/retrieval/embedder-version.ts')],
    target: 'bun',
    plugins: [embeddedFiles(ROOT)],
    define: { FILES_VERSION: '"probe"' },
  })
  const [reader = '', embedder = ''] = await Promise.all(built.outputs.map((file) => file.text()))
  expect(reader).toContain('new URL("file:///$bunfs/root/src/vision/worker/worker.ts")')
  expect(embedder).toContain('embeddedFile("src/vision/retrieval")')
  expect(embedder).not.toContain('import.meta.dir')
})

describe.skipIf(process.env.CARDSTOCK_EXECUTABLE !== 'on')('the executable', () => {
  let folder: string
  let port: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cardstock-executable-'))
    port = String(await findFreePort())
    const made = Bun.spawn([process.execPath, 'scripts/compile.ts', join(folder, 'cardstock')], {
      cwd: ROOT,
      stdout: 'ignore',
    })
    expect(await made.exited).toBe(0)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('serves the sample, reads a photo, and stops as the server does', async () => {
    const server = start(['up'])
    try {
      await comes(() => request('/readyz').then(({ ok }) => ok))
      expect((await (await request('/v1/games')).json()).meta.total).toBeGreaterThan(0)
      expect((await request('/docs/swagger-ui-bundle.js')).status).toBe(200)
      expect((await request('/pictures/900001.webp')).status).toBe(200)
      const worker = await (await request('/sw.js')).text()
      const kept: string[] = JSON.parse(/^const FILES = (.*)$/m.exec(worker)?.[1] ?? '[]')
      expect(kept.length).toBeGreaterThan(4)
      for (const url of [...kept, '/offline', '/icons/icon-512.png', '/guides/start']) {
        expect([url, (await request(url)).status]).toEqual([url, 200])
      }
      await run(['admin', 'account', 'create', '--email', EMAIL, '--password', 'a long enough one'])
      const { output } = await run(['admin', 'key', 'create', '--email', EMAIL])
      const key = output.trim()
      await comes(async () => (await identify(key)) === 'matched')
      const libraries = librariesOf(server.pid)
      expect(libraries.filter((path) => !path.startsWith(`${folder}/data/run/program/`))).toEqual(
        [],
      )
      // Two copies of SQLite in one process would release each other's locks.
      expect(libraries.filter((path) => path.includes('better-sqlite3'))).toHaveLength(1)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await server.exited).toBe(0)
  })

  test('is set up by options', async () => {
    const answers = ['--email', EMAIL, '--password', 'a long enough one', '--mode', 'private']
    const DATA_DIR = './chosen'
    const { code, output } = await run(['setup', ...answers, '--mirror', 'none'], { DATA_DIR })
    expect({ code, ...JSON.parse(output) }).toMatchObject({ code: 0, is_finished: true })
  })

  test('syncs from a folder', async () => {
    const mirror = Bun.pathToFileURL(join(ROOT, 'data/sample')).href
    const { code, output } = await run(['sync'], { DATA_DIR: './synced', UPSTREAM_URL: mirror })
    expect({ code, ...JSON.parse(output) }).toMatchObject({
      code: 0,
      outcome: 'complete',
      games: 3,
    })
  })

  test('reports no error in its doctor', async () => {
    expect((await run(['doctor'])).code).toBe(0)
  })

  test('unpacks once, and leaves no incomplete files beside it', async () => {
    const started = { DATA_DIR: './twice' }
    await Promise.all([run(ACCOUNTS, started), run(ACCOUNTS, started)])
    await run(ACCOUNTS, started)
    expect(readdirSync(join(folder, 'twice/program'))).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
    ])
  })

  test('leaves nothing if the disk is too full', async () => {
    const room = 'ulimit -f 2000 && exec "$0" admin account list'
    const command = Bun.spawn(['sh', '-c', room, join(folder, 'cardstock')], {
      cwd: folder,
      env: { DATA_DIR: './full' },
      stderr: 'ignore',
    })
    expect(await command.exited).toBe(2)
    expect(readdirSync(join(folder, 'full/program'))).toEqual([])
  })

  test('removes the remains of a killed start, but not files that another one uses', async () => {
    const [left, young] = ['left/program/0.aaaaaa', 'left/program/0.bbbbbb']
    for (const draft of [left, young]) mkdirSync(join(folder, draft, 'data'), { recursive: true })
    utimesSync(join(folder, left), 0, 0)
    expect((await run(ACCOUNTS, { DATA_DIR: './left' })).code).toBe(0)
    expect([left, young].map((draft) => existsSync(join(folder, draft)))).toEqual([false, true])
  })

  test('prints instructions if it cannot unpack', async () => {
    const { code, errors } = await run(['doctor'], { DATA_DIR: '/dev/null' })
    expect({ code, errors }).toEqual({
      code: 2,
      errors: expect.stringMatching(/^Set DATA_DIR to a folder that can be written: /),
    })
  })

  test('unpacks nothing for help, completions and wrong calls', async () => {
    const DATA_DIR = './never'
    const unknown = await run(['nonsense'], { DATA_DIR })
    expect(unknown).toMatchObject({ code: 2, errors: expect.stringContaining('doctor') })
    const wrong = await run(['sync', '--frob'], { DATA_DIR })
    expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining('--force') })
    for (const args of [['--help'], ['admin', 'account', '--help'], ['completions', 'bash']]) {
      const { code, output } = await run(args, { DATA_DIR })
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('cardstock') })
    }
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })
  /** Runs without settings and in a folder without the source tree. */
  function start(args: string[], env: Record<string, string> = {}) {
    return Bun.spawn([join(folder, 'cardstock'), ...args], {
      cwd: folder,
      env: { PORT: port, LOG_LEVEL: 'silent', ...env },
      stdout: 'pipe',
      stderr: 'pipe',
    })
  }

  async function run(args: string[], env?: Record<string, string>) {
    const command = start(args, env)
    const [output, errors] = await Promise.all([
      new Response(command.stdout).text(),
      new Response(command.stderr).text(),
    ])
    return { code: await command.exited, output, errors }
  }

  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init)

  /** @returns the verdict's status */
  async function identify(key: string): Promise<string> {
    const body = readFileSync(join(ROOT, 'data/sample/photos/tilted.jpg'))
    const headers = { 'x-api-key': key, 'content-type': 'image/jpeg' }
    const answer = await request('/v1/identify', { method: 'POST', headers, body })
    return (await answer.json()).data?.status
  }
})

const EMAIL = 'a@b.example'

/** A command that opens the data folder. */
const ACCOUNTS = ['admin', 'account', 'list']

/** Waits until a condition is met; only the test's timeout ends it. */
async function comes(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo().catch(() => false))) await Bun.sleep(200)
}

/** Returns the libraries that a process has loaded from outside of the system's folders. */
function librariesOf(pid: number): string[] {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8')
  const paths = [...maps.matchAll(/ (\/\S+\.(?:node|so)\S*)$/gm)].map(([, path = '']) => path)
  return [...new Set(paths)].filter((path) => !/^\/(usr\/)?lib/.test(path))
}
