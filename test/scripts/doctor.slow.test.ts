// The doctor as operators run it, on healthy and on broken installations.

import { afterAll, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '#rules/operations/doctor-finding.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { separateClosedMonths } from '#store/files/history-files.ts'
import { schemaVersion } from '#store/migrate.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { type ScriptResult, startScripts } from '../support/operations/run-scripts.ts'
import { createWorkerProcess, WORKER_SECRET } from '../support/photos/worker-process.ts'
import { ROOT, runCommand } from '../support/process.ts'
import { createTestApp, FROZEN_TIME, type TestApp } from '../support/test-app.ts'

const tempFolder = () => createTempFolder('cardstock-doctor-')

/** Copies the program without its packages, its networks and the sample. */
function copyProgram(): string {
  const root = tempFolder()
  const tables = ['data/confusables.txt', 'data/set-code-aliases.csv']
  for (const path of ['src', 'scripts', 'package.json', 'tsconfig.json', ...tables]) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true })
  }
  return root
}

type Settings = Record<string, string>

const scripts = startScripts()
afterAll(scripts.close)

/** Runs the doctor with only these settings, in a process that is used repeatedly. */
async function runDoctor(settings: Settings, args: readonly string[] = []) {
  const env = await completeSettings(settings)
  return readFindings(await scripts.run({ path: 'scripts/doctor.ts', args }, env))
}

/** Runs the doctor in a separate process, as operators do. */
async function runDoctorAlone(settings: Settings, { args = [] as string[], root = ROOT } = {}) {
  const program = [process.execPath, '--no-install', '--no-env-file', 'scripts/doctor.ts']
  const env = await completeSettings(settings)
  return readFindings(await runCommand([...program, ...args], { cwd: root, env }))
}

/** Adds what every process has, but not this machine's settings. */
async function completeSettings(settings: Settings): Promise<Settings> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: String(await findFreePort()),
    ...settings,
  }
}

function readFindings({ code, stdout, stderr }: ScriptResult) {
  const findings: Finding[] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  return { code, stderr, findings, faults: findings.filter(({ level }) => level === 'fault') }
}

/** Creates a data folder with the sample, as a server leaves it. */
async function openFolder(): Promise<TestApp & { dataDir: string }> {
  const testApp = await createTestApp({ onDisk: true })
  closeAfterUse(testApp.close)
  const { dataDir } = testApp.deps.config
  writeFileSync(join(dataDir, 'app-secret'), `${'x'.repeat(44)}\n`, { mode: 0o600 })
  return { ...testApp, dataDir }
}

/** Formats a fault as its check, message and fix. */
const messagesOf = (findings: Finding[]) =>
  findings.map(({ check, message, fix }) => `${check}: ${message}. ${fix}`)

describe('a healthy set-up', () => {
  test('has no error, and each check prints its result', async () => {
    const { dataDir } = await openFolder()
    const upstream = pathToFileURL(join(ROOT, 'data/sample')).href
    const { code, faults, findings, stderr } = await runDoctorAlone({
      DATA_DIR: dataDir,
      UPSTREAM_URL: upstream,
    })
    expect(faults).toEqual([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const checks = new Set(findings.map(({ check }) => check))
    expect([...checks]).toEqual([
      'bun',
      'packages',
      'settings',
      'memory',
      'cores',
      'open files',
      'reader',
      'sample',
      'data folder',
      'permissions',
      'files',
      'file system',
      'disk',
      'secret',
      'catalog',
      'ledger',
      'setup',
      'games',
      'exchange rates',
      'clock',
      'upstream',
      'cardmarket',
      'bucket',
      'server',
      'webhooks',
      'billing',
      'photo payments',
    ])
    expect(findings).toContainEqual({
      check: 'catalog',
      level: 'ok',
      message: 'the file is intact',
    })
    expect(findings.find(({ check }) => check === 'games')?.message).toMatch(/^3 games, \d+ cards/)
  })

  test('is not changed, except for the logs that any SQLite connection opens', async () => {
    const { dataDir } = await openFolder()
    const seen = () =>
      readdirSync(dataDir)
        .filter((name) => !/-(wal|shm)$/.test(name))
        .map((name) => [name, statSync(join(dataDir, name)).mtimeMs, bytesOf(dataDir, name)])
    const before = seen()
    await runDoctor({ DATA_DIR: dataDir })
    expect(seen()).toEqual(before)
  })

  test('has no error before the first start, and nothing is created', async () => {
    const dataDir = join(tempFolder(), 'new/data')
    const { code, faults } = await runDoctor({ DATA_DIR: dataDir })
    expect({ code, faults }).toEqual({ code: 0, faults: [] })
    expect(() => statSync(dataDir)).toThrow('ENOENT')
  })

  test('is recognized beside the server that runs on it', async () => {
    const testApp = await openFolder()
    testApp.app.listen({ hostname: '127.0.0.1', port: 0 })
    closeAfterUse(() => testApp.app.server?.stop(true))
    const { findings, code } = await runDoctorAlone({
      DATA_DIR: testApp.dataDir,
      PORT: String(testApp.app.server?.port),
      // Requests to the local server bypass the operator's proxy.
      HTTP_PROXY: 'http://127.0.0.1:1',
    })
    const server = findings.find(({ check }) => check === 'server')
    expect(server).toMatchObject({ level: 'ok', message: expect.stringContaining('and is ready') })
    expect(code).toBe(0)
    const elsewhere = await runDoctor({
      DATA_DIR: (await openFolder()).dataDir,
      PORT: String(testApp.app.server?.port),
    })
    expect(messagesOf(elsewhere.faults)).toEqual([
      expect.stringMatching(/^server: a server with another data folder answers .*Set DATA_DIR/),
    ])
    testApp.drain.begin()
    const draining = await runDoctor({
      DATA_DIR: testApp.dataDir,
      PORT: String(testApp.app.server?.port),
    })
    expect(draining.findings).toContainEqual(
      expect.objectContaining({
        check: 'server',
        level: 'warning',
        message: expect.stringContaining('draining'),
      }),
    )
  })
})

test('the choices of the operator count like settings', async () => {
  const { dataDir, deps } = await openFolder()
  const checkOf = async (check: string) => {
    const { findings } = await runDoctor({ DATA_DIR: dataDir, BILLING_PROVIDER: '' })
    return findings.filter((finding) => finding.check === check)
  }
  expect(await checkOf('setup')).toMatchObject([{ level: 'ok' }])
  await deps.ledger.settings.put({ setup: 'begun' }, new Date())
  expect(messagesOf(await checkOf('setup'))).toEqual([
    expect.stringMatching(/not finished.*run setup/),
  ])
  const mirror = 'http://127.0.0.1:1'
  const chosen = { mode: 'private', mirror, pictures: 'off', setup: 'finished' }
  await deps.ledger.settings.put(chosen, new Date())
  expect(await checkOf('setup')).toMatchObject([{ message: 'finished; this is a private server' }])
  expect(await checkOf('billing')).toMatchObject([{ message: 'off' }])
  expect(await checkOf('upstream')).toMatchObject([{ level: 'fault' }])
  expect(await checkOf('games')).toContainEqual(
    expect.objectContaining({
      level: 'ok',
      message: expect.stringContaining('no picture indexed'),
    }),
  )
})

test('a catalog whose pictures are not indexed is a warning, with what to do', async () => {
  const { dataDir } = await openFolder()
  changeCatalog(dataDir, (db) => {
    // Left by a removed card.
    db.exec(`INSERT INTO card_pictures (card_id, game_id, model, image_url, vector, hash, art_group, status, updated_at, version)
      VALUES (1, 1, 'model', 'url', zeroblob(128), zeroblob(128), 1, 'indexed', '2026-11-25', 1)`)
  })
  const { findings } = await runDoctor({ DATA_DIR: dataDir })
  const warned = findings.filter(({ level }) => level === 'warning')
  expect(messagesOf(warned)).toContainEqual(
    expect.stringMatching(/^games: .* no picture indexed: .* bun run index/),
  )
})

/** Changes the catalog in a data folder. */
function changeCatalog(dataDir: string, change: (db: Db) => void): void {
  const db = openDatabase(join(dataDir, 'catalog.db'))
  change(db)
  db.close()
}

describe('a broken setup exits with 1 and prints the fix:', () => {
  test.each<[string, (dataDir: string) => void, RegExp]>([
    [
      'a ledger that is not a database',
      (dataDir) => writeFileSync(join(dataDir, 'ledger.db'), 'accounts,keys\n'.repeat(1000)),
      /file is not a database/,
    ],
    [
      'a damaged full-text index',
      (dataDir) =>
        changeCatalog(dataDir, (db) => {
          // Otherwise SQLite protects the table.
          db.unsafeMode(true)
          db.exec("UPDATE card_search_data SET block = x'00' WHERE id > 10")
        }),
      /^catalog: .*card_search.*sync again/,
    ],
    [
      'a file that a newer version wrote',
      (dataDir) =>
        changeCatalog(dataDir, (db) => db.pragma(`user_version = ${schemaVersion(db) + 899}`)),
      /900.*Start the newer version of Cardstock/,
    ],
    [
      'a file that an unreleased version wrote',
      (dataDir) => changeCatalog(dataDir, (db) => db.pragma('user_version = 25')),
      /an unreleased version of Cardstock.*Move the data folder away/,
    ],
    [
      'a secret that others can read',
      (dataDir) => chmodSync(join(dataDir, 'app-secret'), 0o644),
      /chmod 600/,
    ],
    [
      'a secret that is truncated',
      (dataDir) => truncateSync(join(dataDir, 'app-secret'), 5),
      /incomplete/,
    ],
    [
      'a clock that is behind',
      (dataDir) => {
        const tomorrow = new Date(Date.now() + 86_400_000)
        utimesSync(join(dataDir, 'ledger.db'), tomorrow, tomorrow)
      },
      /^clock: .*NTP/,
    ],
  ])('%s', async (_, spoil, message) => {
    const { dataDir, deps } = await openFolder()
    deps.ledger.close()
    spoil(dataDir)
    const { code, faults } = await runDoctor({ DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(messagesOf(faults)).toEqual([expect.stringMatching(message)])
  })

  test('a damaged ledger', async () => {
    const { dataDir, deps } = await openFolder()
    deps.ledger.close()
    overwrite(join(dataDir, 'ledger.db'), 4096 * 3, 4096 * 4)
    const { code, faults } = await runDoctorAlone({ DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(faults.map(({ check }) => check)).toEqual(['ledger'])
    expect(messagesOf(faults)[0]).toMatch(/damaged|malformed/)
    expect(messagesOf(faults)[0]).toContain('restore a backup')
  })

  test('closed months that are damaged or missing', async () => {
    const { dataDir } = await openFolder()
    separateClosedMonths(dataDir)
    const [name = ''] = readdirSync(join(dataDir, 'history'))
    const path = join(dataDir, 'history', name)
    const isIntact = ({ message }: { message: string }) => message.includes('closed months')
    expect((await runDoctor({ DATA_DIR: dataDir })).findings.some(isIntact)).toBe(true)
    appendFileSync(path, 'x')
    const damaged = await runDoctor({ DATA_DIR: dataDir })
    rmSync(path)
    const missing = await runDoctor({ DATA_DIR: dataDir })
    expect([damaged.code, missing.code]).toEqual([1, 1])
    expect(messagesOf(damaged.findings)).toContainEqual(expect.stringContaining('is damaged'))
    expect(messagesOf(missing.findings)).toContainEqual(expect.stringContaining('is missing'))
  })

  test('a data folder that is a file, or lies below one', async () => {
    const path = join(tempFolder(), 'data')
    writeFileSync(path, '')
    for (const dataDir of [path, join(path, 'run')]) {
      const { code, faults } = await runDoctor({ DATA_DIR: dataDir })
      expect(code).toBe(1)
      expect(messagesOf(faults)).toContainEqual(
        expect.stringMatching(/^data folder: .* is a file\. Set DATA_DIR to a folder/),
      )
    }
  })

  test.skipIf(process.getuid?.() === 0)('a data folder that is not writable', async () => {
    const dataDir = tempFolder()
    chmodSync(dataDir, 0o500)
    const { faults } = await runDoctor({ DATA_DIR: dataDir })
    expect(messagesOf(faults)).toEqual([expect.stringContaining('cannot be written')])
  })

  test('invalid settings, all of them at once', async () => {
    const { dataDir } = await openFolder()
    const { code, faults } = await runDoctor({
      DATA_DIR: dataDir,
      PORT: 'eighty',
      PUBLIC_URL: 'cards',
      STRIPE_SECRET_KEY: 'sk_test_1',
    })
    expect(code).toBe(1)
    expect(messagesOf(faults)).toEqual([
      expect.stringContaining('PORT is "eighty"'),
      expect.stringContaining('PUBLIC_URL is "cards"'),
      expect.stringContaining('STRIPE_WEBHOOK_SECRET is missing'),
    ])
  })

  test('a missing upstream, and a port that another program uses', async () => {
    const stranger = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('hi') })
    closeAfterUse(() => stranger.stop(true))
    const { faults } = await runDoctor({
      DATA_DIR: tempFolder(),
      UPSTREAM_URL: 'file:///no/such/mirror',
      PORT: String(stranger.port),
    })
    expect(messagesOf(faults)).toEqual([
      expect.stringMatching(/^upstream: .*UPSTREAM_URL/),
      expect.stringMatching(/^server: another program answers/),
    ])
  })

  test('missing packages, without importing them', async () => {
    const root = copyProgram()
    const { code, faults, stderr } = await runDoctorAlone({ DATA_DIR: tempFolder() }, { root })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(messagesOf(faults)).toEqual([expect.stringMatching(/missing.*bun install/)])
  })

  test('photo workers that cannot be reached or have another secret, and not those that are ready', async () => {
    const { dataDir } = await openFolder()
    const worker = await createWorkerProcess({ dataDir })
    const check = async (secret: string) => {
      const settings = { DATA_DIR: dataDir, READERS: worker.url, APP_SECRET: secret }
      const { findings } = await runDoctor(settings)
      return findings.find(({ check }) => check === 'reader')
    }
    try {
      expect(await check(WORKER_SECRET)).toMatchObject({
        level: 'fault',
        fix: expect.stringContaining('bun run read'),
      })
      worker.spawn()
      await worker.ready()
      expect(await check('x'.repeat(32))).toMatchObject({
        level: 'fault',
        fix: expect.stringContaining('APP_SECRET'),
      })
      expect(await check(WORKER_SECRET)).toMatchObject({ level: 'ok' })
    } finally {
      await worker.kill()
    }
  })

  test('missing networks and sample', async () => {
    const root = copyProgram()
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    const { faults, findings } = await runDoctorAlone({ DATA_DIR: tempFolder() }, { root })
    expect(messagesOf(faults)).toEqual([expect.stringMatching(/^reader: .*data\/model/)])
    expect(findings).toContainEqual(expect.objectContaining({ check: 'sample', level: 'warning' }))
  })
})

describe('with --online', () => {
  const PAY_TO = `0x${'a'.repeat(40)}`
  const KEYS = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }

  /** Imitates Stripe, a facilitator and a node; Stripe accepts one key. */
  function others({ network = 'eip155:8453', chain = '0x2105' } = {}): string {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch(request) {
        const { pathname } = new URL(request.url)
        if (pathname === '/supported') return Response.json({ kinds: [{ network }] })
        if (pathname === '/node') return Response.json({ jsonrpc: '2.0', id: 1, result: chain })
        const isKnown = request.headers.get('authorization') === 'Bearer sk_test_1'
        return Response.json({}, { status: isKnown ? 200 : 401 })
      },
    })
    closeAfterUse(() => server.stop(true))
    return `http://127.0.0.1:${server.port}`
  }

  const settingsAt = (url: string) => ({
    ...KEYS,
    STRIPE_API_URL: url,
    X402_PAY_TO: PAY_TO,
    X402_FACILITATOR_URL: url,
    X402_RPC_URL: `${url}/node`,
  })

  test('the payment services are contacted, and respond', async () => {
    const settings = { DATA_DIR: tempFolder(), ...settingsAt(others()) }
    const { faults, findings } = await runDoctor(settings, ['--online'])
    expect(faults).toEqual([])
    const messages = findings.map(({ message }) => message)
    expect(messages).toContain('Stripe accepts the key')
    expect(messages).toContain('facilitator and node support eip155:8453')
  })

  test('a key that Stripe rejects, and a node of another chain, are errors', async () => {
    const url = others({ network: 'eip155:1', chain: '0x1' })
    const settings = { DATA_DIR: tempFolder(), ...settingsAt(url), STRIPE_SECRET_KEY: 'sk_test_2' }
    const { code, faults } = await runDoctor(settings, ['--online'])
    expect(code).toBe(1)
    expect(messagesOf(faults)).toEqual([
      expect.stringContaining('Stripe answers 401'),
      expect.stringContaining('does not list eip155:8453'),
      expect.stringContaining('is on eip155:1.'),
    ])
    expect((await runDoctor(settings)).faults).toEqual([])
  })
})

describe('possibly intended settings are warnings', () => {
  test.each([
    ['http in production', { NODE_ENV: 'production' }, 'PUBLIC_URL'],
    [
      'alerts to this machine on a public server',
      { PUBLIC_URL: 'https://cards.example', WEBHOOK_NETWORK: 'loopback-ok' },
      'WEBHOOK_NETWORK',
    ],
    [
      'a proxy that is not trusted',
      { PUBLIC_URL: 'https://cards.example' },
      'PUBLIC_URL is https://cards.example, but TRUST_PROXY is 0',
    ],
    ['an open port outside of production', { HOST: '0.0.0.0' }, 'NODE_ENV'],
    ['metrics that others can read', { HOST: '0.0.0.0' }, 'METRICS_TOKEN'],
    ['checkouts that complete themselves', { BILLING_DEV_AUTOPAY: 'on' }, 'BILLING_DEV_AUTOPAY'],
    ['no log', { LOG_LEVEL: 'silent' }, 'LOG_LEVEL'],
    ['more threads than cores', { IDENTIFY_WORKERS: '16' }, 'IDENTIFY_WORKERS'],
  ])('%s', async (_, settings: Settings, word) => {
    const { code, findings } = await runDoctor({ DATA_DIR: tempFolder(), ...settings })
    expect(code).toBe(0)
    const warned = findings.filter(({ level }) => level === 'warning')
    expect(messagesOf(warned)).toContainEqual(expect.stringContaining(word))
  })

  test.each([
    ['only this machine can read them', {}],
    ['they require a token', { HOST: '0.0.0.0', METRICS_TOKEN: 'a-token-of-the-operator' }],
  ])('but not metrics, if %s', async (_, settings: Settings) => {
    const { findings } = await runDoctor({ DATA_DIR: tempFolder(), ...settings })
    expect(messagesOf(findings).join('\n')).not.toContain('/metrics')
  })

  test('games that have missed their refresh', async () => {
    const { dataDir } = await openFolder()
    changeCatalog(dataDir, (db) => {
      db.exec(
        `UPDATE games SET stale_since = '${FROZEN_TIME}' WHERE id = (SELECT min(id) FROM games)`,
      )
    })
    const { findings } = await runDoctor({
      DATA_DIR: dataDir,
      UPSTREAM_URL: pathToFileURL(join(ROOT, 'data/sample')).href,
    })
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'games',
        level: 'warning',
        message: expect.stringContaining('missed the last refresh'),
      }),
    )
  })
})

function bytesOf(folder: string, name: string): string {
  return Bun.hash(readFileSync(join(folder, name))).toString()
}

function overwrite(path: string, from: number, bytes: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from)
  closeSync(file)
}

test('ends without a message if the reader of its output has gone', async () => {
  const command = ['sh', '-c', '"$BUN" --no-env-file scripts/doctor.ts | head -1']
  const env = { BUN: process.execPath, DATA_DIR: tempFolder() }
  const { stdout, stderr } = await runCommand(command, { env })
  expect(stdout.split('\n')).toHaveLength(2)
  expect(stderr).toBe('')
})
