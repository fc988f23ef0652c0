// The commands as people and scripts run them: real processes on their own data folder.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { API_KEY_PATTERN } from '#rules/accounts/credentials.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { type ScriptResult, startScripts } from '../support/operations/run-scripts.ts'
import { drawRates, toRatesCsv, toRatesXml, zip } from '../support/pricing/rate-files.ts'
import { runProcess, startProcess } from '../support/process.ts'
import { SEED } from '../support/random.ts'
import { createServerProcess } from '../support/server-process.ts'
import { smallUpstream, writeArchive, writeMirror } from '../support/sync/upstream-fixture.ts'

/** An outer limit on a busy machine; nothing here waits for it. */
const LIMIT_MS = 120_000
setDefaultTimeout(LIMIT_MS)

const tempFolder = () => createTempFolder('cardstock-command-')

type Settings = Record<string, string>

/** Starts a script with only these settings, without those of this machine. */
const start = (script: string, args: readonly string[], env: Settings) =>
  startProcess(script, { args, env, cwd: tmpdir() })

const scripts = startScripts(tmpdir())
afterAll(scripts.close)

/** Runs a script with only these settings, in a process that also runs others. */
function run(path: string, args: readonly string[], settings: Settings): Promise<ScriptResult> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...settings }
  return scripts.run({ path, args }, env)
}

const runAlone = (script: string, args: readonly string[], env: Settings) =>
  runProcess(script, { args, env, cwd: tmpdir() })

/** A data folder, an upstream folder, and the settings that connect them. */
function openWorkspace() {
  const [dataDir, mirror] = [join(tempFolder(), 'new/data'), tempFolder()]
  const upstream = smallUpstream()
  writeMirror(upstream.files, mirror)
  const settings = { DATA_DIR: dataDir, UPSTREAM_URL: pathToFileURL(mirror).href }
  const workspace = {
    dataDir,
    mirror,
    upstream,
    settings,
    sync: (...args: string[]) => run('scripts/sync.ts', args, settings),
    importHistory: (...args: string[]) => run('scripts/import-history.ts', args, settings),
    importIds: (...args: string[]) => run('scripts/import-ids.ts', args, settings),
    export: (...args: string[]) => run('scripts/export.ts', args, settings),
    admin: (...args: string[]) => run('scripts/admin.ts', args, settings),
    publish(days = 1): void {
      upstream.publish(days)
      writeMirror(upstream.files, mirror)
    },
  }
  return workspace
}

type Workspace = ReturnType<typeof openWorkspace>

/** Data folders as a command leaves them. Tests copy them instead of running it again. */
const templates = new Map<string, Promise<string>>()
const templateRoot = mkdtempSync(join(tmpdir(), 'cardstock-templates-'))
afterAll(() => rmSync(templateRoot, { recursive: true, force: true }))

/** Opens a workspace with the data folder that `fill` created, which runs only for the first workspace of a name. */
async function openFilledWorkspace(
  name: string,
  fill: (workspace: Workspace) => Promise<unknown>,
): Promise<Workspace> {
  const workspace = openWorkspace()
  const folder = join(templateRoot, name)
  const filled = templates.get(name) ?? fillTemplate(workspace, folder, fill)
  templates.set(name, filled)
  cpSync(await filled, workspace.dataDir, { recursive: true })
  return workspace
}

async function fillTemplate(
  workspace: Workspace,
  folder: string,
  fill: (workspace: Workspace) => Promise<unknown>,
) {
  expect(await fill(workspace)).toMatchObject({ code: 0 })
  cpSync(workspace.dataDir, folder, { recursive: true })
  return folder
}

const syncedWorkspace = () => openFilledWorkspace('synced', (workspace) => workspace.sync())

/** Workspace for refused commands: nothing changes it. */
const emptyWorkspace = () =>
  openFilledWorkspace('empty', (workspace) => workspace.admin('account', 'list'))

/** Parses the JSON lines of an output; throws for any other line. */
function jsonLines(text: string) {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** Expects an error: nothing on stdout, a message without a stack on stderr. */
function expectWords(result: { code: number; stdout: string; stderr: string }, code: number): void {
  expect(result).toMatchObject({ code, stdout: '' })
  expect(result.stderr).toMatch(/\S/)
  expect(result.stderr).not.toMatch(/\n\s+at |node_modules/)
}

describe('sync', () => {
  test('loads everything, exits with 0 and prints one JSON line on stdout', async () => {
    const workspace = openWorkspace()
    const { code, stdout, stderr } = await workspace.sync()
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({ outcome: 'complete', games: 2, sets_read: 4, failures: [] }),
    ])
    expect(jsonLines(stderr).at(-1)).toMatchObject({ task: 'sync', done: 4, total: 4 })
    expect(readdirSync(workspace.dataDir)).toEqual(
      expect.arrayContaining(['catalog.db', 'ledger.db']),
    )

    const again = await workspace.sync()
    expect(again.code).toBe(0)
    expect(jsonLines(again.stdout)[0]).toMatchObject({ outcome: 'complete', sets_read: 0 })
  })

  test('accepts a game, a set, and a forced sync', async () => {
    const workspace = openWorkspace()
    expect(jsonLines((await workspace.sync('--game', 'pokemon')).stdout)[0]).toMatchObject({
      sets_read: 2,
    })
    workspace.publish()
    expect(jsonLines((await workspace.sync('--set', '12')).stdout)[0]).toMatchObject({
      sets_read: 1,
    })
    expect(jsonLines((await workspace.sync('--force')).stdout)[0]).toMatchObject({ sets_read: 4 })
  })

  test('exits with 1 for an incomplete sync, with the missing parts and the reason', async () => {
    const workspace = openWorkspace()
    writeFileSync(join(workspace.mirror, 'tcgplayer/3/12/prices'), '<html>')
    const { code, stdout } = await workspace.sync()
    expect(code).toBe(1)
    expect(jsonLines(stdout)).toEqual([
      expect.objectContaining({
        outcome: 'incomplete',
        sets_read: 3,
        failures: [{ game: 'pokemon', set: 12, reason: expect.stringContaining('web page') }],
      }),
    ])
  })

  test.each([
    ['an upstream that is not there', { UPSTREAM_URL: 'file:///no/such/mirror' }, 'does not exist'],
    ['an upstream whose games are a web page', { games: '<html>' }, 'web page'],
  ])('exits with 1 for %s, with a message', async (_, { games, ...more }: Settings, words) => {
    const workspace = openWorkspace()
    if (games !== undefined) writeFileSync(join(workspace.mirror, 'tcgplayer/categories'), games)
    const result = await run('scripts/sync.ts', [], { ...workspace.settings, ...more })
    expect(result.code).toBe(1)
    expect(result.stderr).not.toMatch(/\n\s+at /)
    expect(jsonLines(result.stdout)).toEqual([
      expect.objectContaining({
        outcome: 'failed',
        failures: [{ game: 'all', reason: expect.stringContaining(words) }],
      }),
    ])
  })

  test('exits with 1 without an upstream, and names the missing setting', async () => {
    const result = await run('scripts/sync.ts', [], { DATA_DIR: tempFolder() })
    expectWords(result, 1)
    expect(result.stderr).toContain('UPSTREAM_URL')
  })

  test('exits with 2 for invalid settings, naming all of them', async () => {
    const settings = { PORT: 'x', LOG_LEVEL: 'loud', UPSTREAM_URL: 'ftp://x' }
    const result = await run('scripts/sync.ts', [], { DATA_DIR: tempFolder(), ...settings })
    expectWords(result, 2)
    for (const name of ['PORT', 'LOG_LEVEL', 'UPSTREAM_URL']) expect(result.stderr).toContain(name)
  })
})

describe('import-history', () => {
  test('loads archives and prints one JSON line', async () => {
    const workspace = await syncedWorkspace()
    const archive = tempFolder()
    writeArchive(smallUpstream('2026-03-09T20:05:50Z'), archive)
    writeArchive(smallUpstream('2026-03-08T20:05:50Z'), archive)
    const { code, stdout } = await workspace.importHistory(archive)
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([
      { days: 2, points: 56, unknown_cards: 0, bad_records: 0, cut_day: null, failures: [] },
    ])
    const { stdout: exported } = await workspace.export('--set', '11')
    expect(JSON.parse(exported).prices[0].price_change_24h).toBe(0)
  })

  test('exits with 1 if a file cannot be read, and loads the others', async () => {
    const workspace = await syncedWorkspace()
    const archive = tempFolder()
    writeArchive(smallUpstream('2026-03-09T20:05:50Z'), archive)
    writeFileSync(join(archive, '2026-03-09/3/12/prices'), '')
    const { code, stdout } = await workspace.importHistory(archive)
    expect(code).toBe(1)
    expect(jsonLines(stdout)[0]).toMatchObject({
      points: 21,
      failures: [{ reason: expect.any(String) }],
    })
  })

  test('exits with 1 for a folder without days', async () => {
    const workspace = openWorkspace()
    expectWords(await workspace.importHistory(tempFolder()), 1)
    expectWords(await workspace.importHistory('/no/such/folder'), 1)
  })
})

describe('import-rates', () => {
  const days = drawRates(SEED, { until: '2026-03-10', days: 3 })

  test('imports a file, or the one at EXCHANGE_RATES_URL', async () => {
    const { dataDir } = openWorkspace()
    const file = join(tempFolder(), 'eurofxref-hist.zip')
    writeFileSync(file, zip(toRatesCsv(days)))
    const settings = { DATA_DIR: dataDir }
    const first = await run('scripts/import-rates.ts', [file], settings)
    const report = { days: 3, first_day: '2026-03-06', last_day: '2026-03-10', currencies: 29 }
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(jsonLines(first.stdout)).toEqual([{ ...report, changed: 3 }])
    const again = await run('scripts/import-rates.ts', [], {
      ...settings,
      EXCHANGE_RATES_URL: pathToFileURL(file).href,
    })
    expect(jsonLines(again.stdout)).toEqual([{ ...report, changed: 0 }])
  })

  test('exits with 1 for a wrong file and stores nothing, and with 1 without a file', async () => {
    const workspace = openWorkspace()
    const file = join(tempFolder(), 'rates.xml')
    writeFileSync(file, toRatesXml(days).slice(0, 2_000))
    const settings = { DATA_DIR: workspace.dataDir }
    const wrong = await run('scripts/import-rates.ts', [file], settings)
    expectWords(wrong, 1)
    expect(wrong.stderr).toContain('the file is cut off. Nothing was imported.')
    expectWords(await run('scripts/import-rates.ts', ['/no/such/file'], settings), 1)
    expectWords(await run('scripts/import-rates.ts', [], settings), 1)
  })
})

describe('import-ids', () => {
  test('stores the IDs of a file, and exits with 1 if any row has an error', async () => {
    const workspace = await syncedWorkspace()
    const file = join(tempFolder(), 'articles.csv')
    writeFileSync(file, 'id,card_id\nA-1,110\nA-2,111\n')
    const all = await workspace.importIds(file, '--source', 'my-shop')
    expect([all.code, jsonLines(all.stdout)]).toEqual([0, [{ ids: 2, errors: [] }]])
    writeFileSync(file, 'id,card_id\nA-1,110\nA-2,9999\n')
    const some = await workspace.importIds(file, '--source', 'my-shop')
    const errors = [{ line: 3, reason: 'The catalog has no card 9999.' }]
    expect([some.code, jsonLines(some.stdout)]).toEqual([1, [{ ids: 1, errors }]])
  })

  test('exits with 1 without the file', async () => {
    const workspace = openWorkspace()
    expectWords(await workspace.importIds('/no/such/file.csv', '--source', 'my-shop'), 1)
  })
})

describe('export', () => {
  test('of a set has the set and its game once, and every printing', async () => {
    const { code, stdout, stderr } = await (await syncedWorkspace()).export('--set', '12')
    expect(code).toBe(0)
    expect(jsonLines(stderr)).toEqual([{ format: 'json', sets: 1, prices: 7 }])
    const { game, set, prices } = JSON.parse(stdout)
    expect([game.slug, set.id, prices.length]).toEqual(['pokemon', 12, 7])
    expect(prices[0]).toMatchObject({ card_id: 120, printing: 'Normal', market_price: 1.5 })
  })

  test('as CSV has a column per field and a record per printing', async () => {
    const workspace = await syncedWorkspace()
    const records = (text: string) => text.split(/\r?\n/).filter((line) => line !== '')
    const one = records((await workspace.export('--set', '12', '--format', 'csv')).stdout)
    expect(one).toHaveLength(1 + 7)
    expect(one[0]).toStartWith('game,game_name,set_id,set,set_code,card_id,name')
    expect(one[1]).toStartWith('pokemon,Pokemon,12,Chapter 2,S12,120,Tide Turtle,1/3,Common')
    const game = records((await workspace.export('--game', 'pokemon', '--format', 'csv')).stdout)
    expect(game).toHaveLength(1 + 14)
    const all = records((await workspace.export('--all', '--format', 'csv')).stdout)
    expect(all).toHaveLength(1 + 28)
  })

  test('of a game or of all is one array of sets', async () => {
    const workspace = await syncedWorkspace()
    const ids = (text: string) => JSON.parse(text).map((one: { set: { id: number } }) => one.set.id)
    expect(ids((await workspace.export('--game', 'harbour-and-haven')).stdout)).toEqual([21, 22])
    expect(ids((await workspace.export('--all')).stdout)).toEqual([11, 12, 21, 22])
  })

  test('to a file keeps the previous file until it is complete', async () => {
    const workspace = await syncedWorkspace()
    const out = join(tempFolder(), 'all.json')
    writeFileSync(out, '"before"')
    const exporting = start('scripts/export.ts', ['--all', '--out', out], workspace.settings)
    const seen = new Set<string>()
    while (!exporting.hasEnded()) {
      seen.add(readFileSync(out, 'utf8'))
      await Bun.sleep(1)
    }
    expect(await exporting.exited).toBe(0)
    const whole = readFileSync(out, 'utf8')
    expect([...seen].filter((text) => text !== '"before"' && text !== whole)).toEqual([])
    expect(JSON.parse(whole)).toHaveLength(4)
    expect(existsSync(`${out}.part`)).toBe(false)
    const bytes = Buffer.byteLength(whole)
    expect(jsonLines(exporting.stdout())).toEqual([
      { format: 'json', sets: 4, prices: 28, out, bytes },
    ])
  })

  test('to a path that cannot be written exits with 1 and a message', async () => {
    const workspace = await syncedWorkspace()
    expectWords(await workspace.export('--all', '--out', '/no/such/folder/all.json'), 1)
  })

  test('of an unknown target exits with 1 and leaves no file', async () => {
    const workspace = await syncedWorkspace()
    const folder = tempFolder()
    expectWords(await workspace.export('--set', '999999', '--out', join(folder, 'x.json')), 1)
    expectWords(
      await workspace.export('--game', 'no-such-game', '--out', join(folder, 'x.json')),
      1,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('admin', () => {
  const ANN = ['--email', 'ann@example.com']
  const ACCOUNT = ['account', 'create', ...ANN, '--password', 'long enough']
  const workspaceOfAnn = () =>
    openFilledWorkspace('ann', (workspace) => workspace.admin(...ACCOUNT))

  test('creates accounts, changes their tiers and lists them as JSON lines', async () => {
    const workspace = openWorkspace()
    const created = await workspace.admin(...ACCOUNT)
    expect(created.code).toBe(0)
    const account = { email: 'ann@example.com', tier: 'free' }
    expect(jsonLines(created.stdout)).toEqual([expect.objectContaining(account)])
    expect(created.stdout + created.stderr).not.toContain('long enough')
    const bo = ['--email', 'bo@example.com', '--password', 'long enough']
    await workspace.admin('account', 'create', ...bo)
    const changed = await workspace.admin('account', 'tier', ...ANN, '--tier', 'pro')
    expect(jsonLines(changed.stdout)).toEqual([
      expect.objectContaining({ ...account, tier: 'pro' }),
    ])
    const listed = await workspace.admin('account', 'list')
    expect(jsonLines(listed.stdout).map(({ email, tier }) => [email, tier])).toEqual([
      ['ann@example.com', 'pro'],
      ['bo@example.com', 'free'],
    ])
  })

  test('reads a password from stdin, and shows an account with its keys', async () => {
    const workspace = openWorkspace()
    const args = ['account', 'create', '--email', 'ann@example.com']
    const call = { args, env: workspace.settings, input: 'long enough\nmore\n' }
    expect(await runProcess('scripts/admin.ts', call)).toMatchObject({ code: 0 })
    await workspace.admin('key', 'create', '--email', 'ann@example.com', '--name', 'sheet')
    const shown = await workspace.admin('account', 'show', '--email', 'ann@example.com')
    expect(jsonLines(shown.stdout)).toEqual([
      expect.objectContaining({
        email: 'ann@example.com',
        tier: 'free',
        is_operator: false,
        subscription: expect.objectContaining({ plan: 'free', status: 'none' }),
        keys: [expect.objectContaining({ name: 'sheet', is_active: true, requests_total: 0 })],
      }),
    ])
    expectWords(await workspace.admin('account', 'show', '--email', 'bo@example.com'), 1)
  })

  test('grants and revokes the operator role, with entries in the audit log', async () => {
    const workspace = openWorkspace()
    const created = jsonLines((await workspace.admin(...ACCOUNT)).stdout)
    expect(created).toMatchObject([{ is_operator: false }])
    const marked = await workspace.admin('account', 'operator', ...ANN)
    expect(marked.code).toBe(0)
    expect(jsonLines(marked.stdout)).toMatchObject([{ ...created[0], is_operator: true }])
    await workspace.admin('account', 'operator', ...ANN)
    expect(jsonLines((await workspace.admin('account', 'list')).stdout)).toMatchObject([
      { email: 'ann@example.com', is_operator: true },
    ])
    const unmarked = await workspace.admin('account', 'operator', ...ANN, '--off')
    expect(jsonLines(unmarked.stdout)).toMatchObject([{ is_operator: false }])
    const entries = jsonLines((await workspace.admin('audit')).stdout)
    // An unchanged value is not logged.
    expect(entries.map(({ event }) => event)).toEqual([
      'operator_revoked',
      'operator_granted',
      'registered',
    ])
  })

  test('prints the audit log, newest first, without credentials', async () => {
    const workspace = await workspaceOfAnn()
    const { stdout: key } = await workspace.admin('key', 'create', ...ANN)
    await workspace.admin('account', 'tier', ...ANN, '--tier', 'pro')
    await workspace.admin('account', 'password', ...ANN, '--password', 'another long one')
    const { code, stdout } = await workspace.admin('audit')
    expect(code).toBe(0)
    const entries = jsonLines(stdout)
    expect(entries.map(({ event }) => event)).toEqual([
      'password_changed',
      'tier_changed',
      'key_created',
      'registered',
    ])
    for (const entry of entries) {
      expect(entry).toMatchObject({ email: 'ann@example.com', address: null })
    }
    expect(entries[1]?.detail).toBe('free -> pro')
    for (const secret of [key.trim(), 'long enough', 'another long one']) {
      expect(stdout).not.toContain(secret)
    }
    expect(jsonLines((await workspace.admin('audit', '--limit', '1')).stdout)).toHaveLength(1)
    expect(jsonLines((await workspace.admin('audit', '--email', 'bo@example.com')).stdout)).toEqual(
      [],
    )
    expect((await workspace.admin('audit', '--limit', 'many')).code).toBe(2)
  })

  test('adds scans to an account, with an entry in the audit log', async () => {
    const workspace = await workspaceOfAnn()
    const grant = ['scans', 'grant', '--email', 'ann@example.com', '--scans']
    const { code, stdout } = await workspace.admin(...grant, '1000')
    expect(code).toBe(0)
    expect(jsonLines(stdout)).toEqual([{ email: 'ann@example.com', balance: 1_000 }])
    const again = await workspace.admin(...grant, '5')
    expect(jsonLines(again.stdout)).toEqual([{ email: 'ann@example.com', balance: 1_005 }])
    const entries = jsonLines((await workspace.admin('audit', '--limit', '2')).stdout)
    expect(entries.map(({ event, detail }) => [event, detail])).toEqual([
      ['scans_granted', '+5'],
      ['scans_granted', '+1000'],
    ])
  })

  test('invites people, and lists and revokes invitations as JSON lines', async () => {
    const workspace = openWorkspace()
    const invited = await workspace.admin('invite', '--email', 'bob@example.com', '--expires', '2')
    const { id, code, url, email, expires_at } = JSON.parse(invited.stdout)
    expect([invited.code, email]).toEqual([0, 'bob@example.com'])
    expect(url).toEndWith(`/register#invitation=${code}`)
    expect(Date.parse(expires_at) - Date.now()).toBeLessThanOrEqual(2 * 86_400_000)
    const listed = await workspace.admin('invite', 'list')
    expect(JSON.parse(listed.stdout)).toMatchObject({ id, status: 'open', email })
    expect(listed.stdout).not.toContain(code)
    const revoked = await workspace.admin('invite', 'revoke', String(id))
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id, status: 'revoked' })
    expect((await workspace.admin('invite', 'revoke', '999')).code).toBe(1)
    expect((await workspace.admin('invite', '--expires', '999')).code).toBe(2)
  })

  test('prints a new key alone on stdout, and stores it nowhere', async () => {
    const workspace = await workspaceOfAnn()
    const { code, stdout, stderr } = await workspace.admin('key', 'create', ...ANN)
    expect(code).toBe(0)
    const key = stdout.slice(0, -1)
    expect(key).toMatch(API_KEY_PATTERN)
    expect(stdout).toBe(`${key}\n`)
    expect(stderr).not.toContain(key)
    for (const name of readdirSync(workspace.dataDir)) {
      expect(readFileSync(join(workspace.dataDir, name)).includes(key)).toBe(false)
    }
    const json = await workspace.admin('key', 'create', '--email', 'ann@example.com', '--json')
    expect(jsonLines(json.stdout)).toEqual([
      { id: expect.any(String), key: expect.stringMatching(API_KEY_PATTERN) },
    ])
    const { id } = JSON.parse(json.stdout)
    expect(jsonLines((await workspace.admin('key', 'revoke', id)).stdout)).toEqual([
      { id, is_active: false },
    ])
  })

  test.each([
    [2, ['account', 'create', '--email', 'ann@example.com', '--password', 'short']],
    [2, ['account', 'create', '--email', 'ann@example.com']],
    [1, ['account', 'password', '--email', 'nobody@example.com', '--password', 'long enough']],
    [1, ['account', 'tier', '--email', 'nobody@example.com', '--tier', 'pro']],
    [1, ['account', 'operator', '--email', 'nobody@example.com']],
    [1, ['key', 'create', '--email', 'nobody@example.com']],
    [1, ['key', 'revoke', 'no-such-key']],
    [1, ['scans', 'grant', '--email', 'nobody@example.com', '--scans', '10']],
    [2, ['scans', 'grant', '--email', 'ann@example.com', '--scans', '1000001']],
  ])('exits with %i for %p, with a message', async (code, args) => {
    expectWords(await (await emptyWorkspace()).admin(...args), code)
  })

  test('rejects a new password that is too short', async () => {
    const workspace = await workspaceOfAnn()
    expectWords(await workspace.admin('account', 'password', ...ANN, '--password', 'short'), 2)
  })

  test('rejects a second account with the same address', async () => {
    const workspace = await workspaceOfAnn()
    expectWords(await workspace.admin(...ACCOUNT), 1)
    expect(jsonLines((await workspace.admin('account', 'list')).stdout)).toHaveLength(1)
  })
})

describe('what is not a regular file', () => {
  const ARGUMENTS: [script: string, args: string[]][] = [
    ['import-prices', ['--source', 'shop']],
    ['import-ids', ['--source', 'shop']],
    ['import-rates', []],
    ['map', []],
    ['resolve', []],
    ['identify', []],
    ['identify', ['--csv']],
  ]

  test.each(ARGUMENTS)('is refused at once by %s %p', async (script, args) => {
    const pipe = join(tempFolder(), 'pipe')
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
    for (const file of [pipe, '/dev/zero']) {
      const settings = { DATA_DIR: join(tempFolder(), 'data') }
      const refused = await run(`scripts/${script}.ts`, [file, ...args], settings)
      expectWords(refused, 1)
      expect(refused.stderr).toContain(`${file} is not a regular file`)
    }
  })

  test('is refused as the file of EXCHANGE_RATES_URL', async () => {
    const settings = { DATA_DIR: openWorkspace().dataDir, EXCHANGE_RATES_URL: 'file:///dev/zero' }
    const refused = await run('scripts/import-rates.ts', [], settings)
    expectWords(refused, 1)
    expect(refused.stderr).toContain('/dev/zero is not a regular file')
  })

  test('is listed among the files that import-history could not read', async () => {
    const workspace = await syncedWorkspace()
    const archive = tempFolder()
    const folder = join(archive, '2026-03-01/3/12')
    mkdirSync(folder, { recursive: true })
    symlinkSync('/dev/zero', join(folder, 'prices'))
    const { code, stdout } = await workspace.importHistory(archive)
    expect(code).toBe(1)
    expect(stdout).toContain('it is not a regular file')
  })
})

describe('a wrong call', () => {
  // usage.slow.test.ts has the mistakes that each kind of argument can have.
  test.each<[script: string, args: string[]]>([
    ['sync', ['--set', 'abc']],
    ['import-history', ['one', 'two']],
    ['import-ids', ['articles.csv']],
    ['export', ['--set', '12', '--all']],
    ['admin', ['scans', 'grant', '--email', 'ann@example.com', '--scans', '-5']],
    ['admin', []],
  ])(
    'of %s exits with 2 for %p, with a message, and opens no data folder',
    async (script, args) => {
      const dataDir = join(tempFolder(), 'untouched')
      expectWords(await run(`scripts/${script}.ts`, args, { DATA_DIR: dataDir }), 2)
      expect(existsSync(dataDir)).toBe(false)
    },
  )
})

/** Disables jobs that do not matter here and would take most of the time. */
const NO_JOBS = { INDEX_PICTURES: 'off', BULK_FILES: 'off', BACKUP_DIR: 'off' }

/** Starts the server and waits until it is ready. */
async function openServer(settings: Settings & { DATA_DIR: string }, ...args: string[]) {
  const port = await findFreePort()
  const env = { LOG_LEVEL: 'warn', IDENTIFY_WORKERS: '0', ...settings }
  const server = createServerProcess({ dataDir: settings.DATA_DIR, port, args, env })
  closeAfterUse(server.kill)
  await server.start()
  return server
}

const body = async (url: string, key = '') => {
  const response = await fetch(url, { headers: key === '' ? {} : { 'X-API-Key': key } })
  return { status: response.status, body: await response.json() }
}

describe('the server', () => {
  test('starts on an empty folder with the sample, serves it, and again after a restart', async () => {
    const settings = { DATA_DIR: join(tempFolder(), 'new'), PUBLIC_URL: 'http://cards.example' }
    const first = await openServer(settings, '--with-sample')
    const { status, body: games } = await body(`${first.url}/v1/games`)
    expect(status).toBe(200)
    expect(games.data.length).toBeGreaterThan(0)
    const meta = await body(`${first.url}/v1/meta`)
    expect(meta.body.data.counts.cards).toBeGreaterThan(0)
    expect(await first.stop()).toBe(0)
    expect(first.output()).toContain('Set it up')

    const second = await openServer(settings)
    expect((await body(`${second.url}/v1/games`)).body.data).toEqual(games.data)
  })

  test('starts on an empty folder without the sample, with no game', async () => {
    const settings = { ...NO_JOBS, DATA_DIR: join(tempFolder(), 'new') }
    const { url, exited, signal } = await openServer(settings)
    expect((await body(`${url}/v1/games`)).body.data).toEqual([])
    signal('SIGINT')
    expect(await exited()).toBe(0)
  })

  test('syncs due games by itself when it starts', async () => {
    const workspace = openWorkspace()
    const { url } = await openServer({ ...NO_JOBS, ...workspace.settings })
    for (;;) {
      const { data } = (await body(`${url}/v1/games`)).body
      if (data.length === 2) break
      await Bun.sleep(50)
    }
    expect((await body(`${url}/v1/games/pokemon/sets`)).body.data).toHaveLength(2)
  })

  test('accepts keys that are created while it runs, and rejects them once they are revoked', async () => {
    const workspace = await syncedWorkspace()
    const { DATA_DIR } = workspace.settings
    const { url } = await openServer({ ...NO_JOBS, DATA_DIR })
    const email = ['--email', 'ann@example.com']
    await workspace.admin('account', 'create', ...email, '--password', 'long enough')
    const made = await workspace.admin('key', 'create', ...email, '--json')
    const { id, key } = JSON.parse(made.stdout)
    expect((await body(`${url}/v1/cards/110`, key)).body.data).toMatchObject({ id: 110 })
    await workspace.admin('key', 'revoke', id)
    expect((await body(`${url}/v1/cards/110`, key)).body.error).toMatchObject({
      code: 'INVALID_API_KEY',
    })
  })

  test('shows the publication of a sync in another process', async () => {
    const workspace = await syncedWorkspace()
    const { DATA_DIR } = workspace.settings
    const { url } = await openServer({ ...NO_JOBS, DATA_DIR })
    const publishedAt = async () => (await body(`${url}/v1/meta`)).body.data.published_at
    expect(await publishedAt()).toBe('2026-03-10T20:05:50.000Z')
    workspace.publish()
    expect(await workspace.sync()).toMatchObject({ code: 0 })
    while ((await publishedAt()) !== '2026-03-11T20:05:50.000Z') await Bun.sleep(20)
  })

  test('does not wait on SIGTERM for clients with an idle connection', async () => {
    const settings = { ...NO_JOBS, DATA_DIR: join(tempFolder(), 'new') }
    const { port, stop } = await openServer(settings)
    const silent = connect(port, '127.0.0.1')
    const idle = connect(port, '127.0.0.1')
    closeAfterUse(
      () => silent.destroy().unref(),
      () => idle.destroy().unref(),
    )
    silent.on('error', () => undefined)
    idle.on('error', () => undefined)
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise((resolve) => idle.once('data', resolve))
    const stopped = performance.now()
    expect(await stop()).toBe(0)
    expect(performance.now() - stopped).toBeLessThan(28_000)
  })

  test('exits with 1 for invalid settings, naming all of them', async () => {
    const result = await runAlone('src/main.ts', [], {
      DATA_DIR: tempFolder(),
      PORT: 'x',
      HOST: '',
      LOG_LEVEL: 'loud',
    })
    expectWords(result, 1)
    for (const name of ['PORT', 'LOG_LEVEL']) expect(result.stderr).toContain(name)
  })
})
