/** Builds the image without Docker: runs its steps in a folder with the files that .dockerignore allows. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { findFreePort } from './support/free-port.ts'

const ROOT = resolve(import.meta.dir, '..')
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
/** An outer limit for a busy machine; packages come from Bun's cache if it has them. */
setDefaultTimeout(120_000)

/** Returns the files of the build context. In .dockerignore, the last matching line decides. */
const sent = filesBelow('').filter((path) => !isIgnored(path))

let folder: string
let app: string

beforeAll(async () => {
  // Docker copies files that every user can read. Other tests in this process may have set a server's umask.
  const umask = process.umask(0o022)
  folder = mkdtempSync(join(tmpdir(), 'cardstock-image-'))
  chmodSync(folder, 0o755)
  app = join(folder, 'app')
  for (const path of sent) {
    mkdirSync(dirname(join(app, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(app, path))
  }
  const [, args = ''] = /^RUN bun (install .*)$/m.exec(DOCKERFILE) ?? []
  const done = Bun.spawn([process.execPath, ...args.split(' ')], {
    cwd: app,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const errors = await new Response(done.stderr).text()
  expect({ code: await done.exited, errors }).toEqual({ code: 0, errors: expect.any(String) })
  process.umask(umask)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the build context', () => {
  test('has the program, its commands, the sample, the networks and the documents', () => {
    for (const path of [
      'package.json',
      'bun.lock',
      'LICENSE',
      'src/main.ts',
      'scripts/doctor.ts',
      'data/sample/last-updated.txt',
      'data/model/detector.bin',
      'docs/README.md',
      'docs/guides/operations/install.md',
      'docs/reference/errors.md',
    ]) {
      expect(sent).toContain(path)
    }
  })

  test('has no local data, settings or development tools', () => {
    const kept =
      /(^|\/)(\.env|node_modules|\.git)|\.db|^(test|bench|docs(?!\/(guides\/|reference\/|README))|data\/run)\/|^scripts\/check\.ts$/
    expect(sent.filter((path) => kept.test(path))).toEqual([])
    expect(isIgnored('data/run/app-secret')).toBe(true)
    expect(isIgnored('src/.env.local')).toBe(true)
    expect(isIgnored('src/main.ts')).toBe(false)
  })

  test('has every imported file', async () => {
    const scripts = sent.filter((path) => /^scripts\/[^/]+\.ts$/.test(path))
    const built = await Bun.build({
      entrypoints: ['src/main.ts', ...scripts].map((path) => join(app, path)),
      target: 'bun',
      packages: 'external',
      throw: false,
    })
    expect(built.logs.map(({ message }) => message)).toEqual([])
  })

  test('has no compiler, and at most 260 MB with packages', () => {
    expect(existsSync(join(app, 'node_modules/typescript'))).toBe(false)
    expect(bytesBelow(app)).toBeLessThan(260e6)
  })
})

describe('the server in it', () => {
  test('starts as user 1000, passes its health check, and stops on SIGTERM', async () => {
    const data = join(folder, 'data')
    mkdirSync(data, { mode: 0o700 })
    const isRoot = process.getuid?.() === 0 && Bun.which('setpriv') !== null
    if (isRoot) chownSync(data, 1000, 1000)
    const asUser = isRoot ? ['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups'] : []
    const env = {
      ...imageEnv(),
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
      DATA_DIR: data,
    }
    const server = Bun.spawn([...asUser, process.execPath, ...wordsOf('CMD').slice(1)], {
      cwd: app,
      env,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    try {
      const isHealthy = () =>
        Bun.spawn([process.execPath, ...wordsOf('  CMD').slice(1)], { env, stderr: 'ignore' })
          .exited
      expect(await isHealthy()).toBe(1)
      while ((await isHealthy()) !== 0) expect(server.exitCode).toBeNull()
      expect(statSync(join(data, 'app-secret')).mode & 0o777).toBe(0o600)
      if (isRoot) expect(statSync(join(data, 'ledger.db')).uid).toBe(1000)
    } finally {
      server.kill('SIGTERM')
    }
    expect(await server.exited).toBe(0)
  })
})

test('systemd, Docker Compose and Kubernetes wait longer than the server drains', () => {
  const sources = ['src/main.ts', 'src/process.ts']
  const text = sources.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n')
  const drains = [...text.matchAll(/^const (?:DRAIN|NOTICE)_MS = ([\d_]+)$/gm)]
  expect(drains).toHaveLength(2)
  const seconds = drains.reduce((sum, [, ms = '']) => sum + Number(ms.replace('_', '')) / 1000, 0)
  for (const [path, grace] of [
    ['docs/systemd/cardstock.service', /^TimeoutStopSec=(\d+)$/m],
    ['docker-compose.yml', /stop_grace_period: (\d+)s/],
    ['docs/deploy/docker-compose.fleet.yml', /stop_grace_period: (\d+)s/],
    ['docs/deploy/cardstock/templates/servers.yaml', /terminationGracePeriodSeconds: (\d+)/],
    ['docs/deploy/cardstock/templates/workers.yaml', /terminationGracePeriodSeconds: (\d+)/],
  ] as const) {
    const text = readFileSync(join(ROOT, path), 'utf8')
    expect(Number(grace.exec(text)?.[1])).toBeGreaterThan(seconds)
  }
})

/** Returns the variables of `ENV`. */
function imageEnv(): Record<string, string> {
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(DOCKERFILE) ?? []
  const pairs = [...block.matchAll(/(\w+)=(\S+)/g)]
  expect(pairs.length).toBeGreaterThan(2)
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, value]))
}

/** Returns the words of a command in JSON notation. */
function wordsOf(instruction: string): string[] {
  const line = DOCKERFILE.split('\n').find((text) => text.startsWith(`${instruction} [`))
  return JSON.parse(line?.slice(instruction.length) ?? '')
}

function isIgnored(path: string): boolean {
  let ignored = false
  const parents = path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))
  for (const line of readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const isException = line.startsWith('!')
    const glob = new Bun.Glob(isException ? line.slice(1) : line)
    if (parents.some((parent) => glob.match(parent))) ignored = !isException
  }
  return ignored
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (['node_modules', '.git'].includes(entry.name) || entry.isSymbolicLink()) return []
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : []
  })
}

function bytesBelow(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true })
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return bytesBelow(path)
    return entry.isFile() ? statSync(path).size : 0
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}
