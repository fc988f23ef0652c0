/** The setup by options, as scripts run it: real processes, with and without a running server. */

import { describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { createDatabase } from '../support/ledger/ledgers.ts'
import { HAS_POSTGRES, startPostgres } from '../support/ledger/postgres-server.ts'
import { openSmallDisk } from '../support/operations/small-disk.ts'
import { type ProcessOptions, runProcess } from '../support/process.ts'
import { startServerProcess, startService } from '../support/server-process.ts'
import { startMirror } from '../support/sync/mirror-server.ts'
import { smallUpstream } from '../support/sync/upstream-fixture.ts'

const EMAIL = 'owner@shop.example'
const PASSWORD = 'four random plain words'

type Settings = Record<string, string>

/** Runs a script with only these settings. @param input stdin */
const run = (
  script: string,
  args: readonly string[],
  env: Settings,
  options: Pick<ProcessOptions, 'input' | 'prefix'> = {},
) => runProcess(`scripts/${script}`, { args, env, input: '', ...options })

const tempFolder = () => createTempFolder('cardstock-setup-')

async function openPlace(more: Settings = {}) {
  const settings = { DATA_DIR: tempFolder(), PORT: String(await findFreePort()), ...more }
  return {
    settings,
    dataDir: settings.DATA_DIR,
    setUp: (args: readonly string[], input = `${PASSWORD}\n`, env: Settings = {}) =>
      run('setup.ts', args, { ...settings, ...env }, { input }),
    accounts: () =>
      readLedger(settings.DATA_DIR, async ({ accounts }) =>
        (await accounts.list()).map(({ email, is_operator }) => [email, is_operator]),
      ),
    changes: () =>
      readLedger(settings.DATA_DIR, async ({ audit }) =>
        (await audit.list(100))
          .filter(({ event }) => event === 'settings_changed')
          .map(({ email, address, detail }) => [email, address, detail]),
      ),
  }
}

async function readLedger<T>(dataDir: string, read: (ledger: Ledger) => Promise<T>): Promise<T> {
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  try {
    return await read(ledger)
  } finally {
    await ledger.close()
  }
}

const jsonLines = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

function openMirror() {
  const mirror = startMirror(smallUpstream(new Date().toISOString()).files)
  closeAfterUse(mirror.close)
  return mirror
}

const post = async (url: string, path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const ALL = ['--email', EMAIL, '--mode', 'private', '--mirror']

describe('the setup by options', () => {
  test('needs no server, and the next sync and the next start use its answers', async () => {
    const place = await openPlace()
    const { url } = openMirror()
    const { code, stdout, stderr } = await place.setUp([
      ...ALL,
      `${url}/`,
      '--index-pictures',
      'no',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(jsonLines(stdout)).toEqual([
      {
        is_finished: true,
        operator: EMAIL,
        is_new_operator: true,
        mode: 'private',
        mirror: url.slice('http://'.length),
        removes_sample: false,
        index_pictures: false,
        exchange_rates: false,
        is_server_running: false,
        registered_accounts: { accounts: [], has_more: false },
      },
    ])
    expect(await place.changes()).toEqual([
      [EMAIL, null, 'isSetUp'],
      [EMAIL, null, 'mode, mirror, indexPictures'],
    ])
    const synced = await run('sync.ts', [], place.settings)
    expect(JSON.parse(synced.stdout)).toMatchObject({ outcome: 'complete', games: 2 })

    const { DATA_DIR, PORT } = place.settings
    const server = startServerProcess({ port: Number(PORT), dataDir: DATA_DIR })
    closeAfterUse(server.kill)
    await server.ready()
    const login = await post(server.url, '/v1/auth/login', { email: EMAIL, password: PASSWORD })
    expect((await login.json()).data).toMatchObject({ is_operator: true })
    expect((await place.setUp([])).stdout).toContain('"is_server_running":true')
  })

  test('removes the sample with the first prices, also by the sync of a command', async () => {
    const place = await openPlace()
    const { DATA_DIR, PORT } = place.settings
    const server = startServerProcess({
      port: Number(PORT),
      dataDir: DATA_DIR,
      args: ['--with-sample'],
    })
    await server.ready()
    await server.kill()
    const { url } = openMirror()
    expect((await place.setUp([...ALL, url, '--remove-sample'])).code).toBe(0)
    expect((await run('sync.ts', [], place.settings)).code).toBe(0)
    const { stdout } = await run('export.ts', ['--all'], place.settings)
    const slugs = JSON.parse(stdout).map(({ game }: { game: { slug: string } }) => game.slug)
    expect(new Set(slugs)).toEqual(new Set(['pokemon', 'harbour-and-haven']))
  })

  test('can run again with the same answers, and changes them once the setup is finished', async () => {
    const place = await openPlace()
    const first = [...ALL, 'none']
    expect((await place.setUp(first)).code).toBe(0)
    const again = await place.setUp(first, '')
    expect(JSON.parse(again.stdout)).toMatchObject({ is_finished: true, is_new_operator: false })
    const changed = await place.setUp(
      ['--mode', 'business', '--index-pictures', 'no', '--exchange-rates', 'yes'],
      '',
    )
    expect(JSON.parse(changed.stdout)).toMatchObject({
      mode: 'business',
      index_pictures: false,
      exchange_rates: true,
    })
    const shown = await place.setUp([], '')
    expect([shown.code, shown.stdout]).toEqual([0, changed.stdout])
    expect(await place.accounts()).toEqual([[EMAIL, true]])
    // The author is unknown, because there may be several operators.
    expect((await place.changes())[0]).toEqual([null, null, 'mode, indexPictures, exchangeRates'])
  })

  test.each<[string[], string, string]>([
    [[], '', 'Give --email EMAIL, --mode private|community|business, --mirror URL, or run'],
    [['--email', EMAIL, '--mode', 'private'], PASSWORD, 'Give --mirror URL, or run'],
    [[...ALL, 'none'], '', 'A password is required.'],
    [[...ALL, 'none'], 'short\n', 'The password must be at least 8 characters long.'],
    [[...ALL, 'none', '--password', 'short'], '', 'The password must be at least'],
    [[...ALL, 'tcgcsv'], PASSWORD, '--mirror must be an address with https://.'],
    [[...ALL, 'file:///srv/mirror'], PASSWORD, 'A folder can only be set as UPSTREAM_URL.'],
    [[...ALL, 'none', '--remove-sample'], PASSWORD, '--remove-sample needs a mirror.'],
    [['--mode', 'shop'], '', '--mode must be one of private, community, business, not "shop".'],
    [['--email', 'owner'], '', '--email must be an e-mail address, not "owner".'],
  ])('names what is missing or wrong, and stores nothing: %p', async (args, input, message) => {
    const place = await openPlace()
    const { code, stdout, stderr } = await place.setUp(args, input)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
    expect([await place.accounts(), await place.changes()]).toEqual([[], []])
  })

  test('accepts a mirror with half a catalog, of which the sync reports the rest', async () => {
    const place = await openPlace()
    const mirror = openMirror()
    for (const path of ['tcgplayer/3/12/prices', 'tcgplayer/500/groups'])
      mirror.fault(path, { html: true })
    expect((await place.setUp([...ALL, mirror.url])).code).toBe(0)
    const { code, stdout } = await run('sync.ts', [], place.settings)
    expect(code).toBe(1)
    const { outcome, failures } = JSON.parse(stdout)
    expect(outcome).toBe('incomplete')
    expect(failures.map(({ game, set }: { game: string; set?: number }) => [game, set])).toEqual([
      ['harbour-and-haven', undefined],
      ['pokemon', 12],
    ])
  })

  test('is refused for settings of the environment', async () => {
    const place = await openPlace({ SERVICE_MODE: 'community', UPSTREAM_URL: openMirror().url })
    const fixed = await place.setUp([...ALL, 'none'])
    expect(fixed).toMatchObject({ code: 1, stderr: expect.stringContaining('SERVICE_MODE is set') })
    expect(await place.accounts()).toEqual([])
    const { stdout } = await place.setUp(['--email', EMAIL])
    expect(JSON.parse(stdout)).toMatchObject({ is_finished: true, mode: 'community' })
  })
})

/** Sets up a running server, and waits until it has noticed. */
async function setUpBeside(url: string, settings: Settings): Promise<void> {
  const mirror = openMirror()
  expect(
    (await post(url, '/v1/auth/register', { email: 'guest@shop.example', password: PASSWORD }))
      .status,
  ).toBe(201)
  const args = [...ALL, mirror.url, '--remove-sample', '--index-pictures', 'no']
  const { code, stdout } = await run('setup.ts', args, settings, { input: PASSWORD })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    is_finished: true,
    is_server_running: true,
    registered_accounts: { accounts: ['guest@shop.example'], has_more: false },
  })
  const provider = async () => (await (await fetch(`${url}/v1/plans`)).json()).data.provider
  while ((await provider()) !== 'off') await Bun.sleep(50)
  const late = { email: 'late@shop.example', password: PASSWORD }
  expect((await post(url, '/v1/auth/register', late)).status).toBe(403)
  for (;;) {
    const { data } = await (await fetch(`${url}/v1/games`)).json()
    const slugs = data.map(({ slug }: { slug: string }) => slug)
    if (Bun.deepEquals(slugs, ['pokemon', 'harbour-and-haven'])) break
    await Bun.sleep(50)
  }
}

describe('a running server', () => {
  test('uses the answers without a restart: registration, billing, and the first sync', async () => {
    const { settings } = await openPlace()
    const { DATA_DIR, PORT } = settings
    const env = { INDEX_PICTURES: '' }
    const server = startServerProcess({
      port: Number(PORT),
      dataDir: DATA_DIR,
      env,
      args: ['--with-sample'],
      holdsPictures: true,
    })
    closeAfterUse(server.kill)
    await server.ready()
    await setUpBeside(server.url, settings)
  })

  test.skipIf(!HAS_POSTGRES)('does so with its ledger on PostgreSQL', async () => {
    const postgres = await startPostgres()
    closeAfterUse(postgres.close)
    const LEDGER_URL = await createDatabase(postgres, 'setup')
    const ledger = {
      LEDGER_URL,
      APP_SECRET: 's'.repeat(32),
      IDENTIFY_WORKERS: '0',
      BACKUP_DIR: 'off',
      BULK_FILES: 'off',
    }
    const server = await startService(tempFolder(), ledger)
    closeAfterUse(server.kill)
    // A separate folder, as on another machine.
    const settings = { ...(await openPlace()).settings, ...ledger }
    await setUpBeside(server.url, settings)
    const { stdout } = await run('doctor.ts', [], settings)
    expect(jsonLines(stdout)).toContainEqual({
      check: 'setup',
      level: 'ok',
      message: 'finished; this is a private server',
    })
  })
})

describe('a data folder', () => {
  test('that is full leaves nothing half done, and the next run completes it', async () => {
    const disk = openSmallDisk(16)
    closeAfterUse(disk.close)
    const settings = { DATA_DIR: join(disk.folder, 'data'), PORT: String(await findFreePort()) }
    const list = () => run('admin.ts', ['account', 'list'], settings)
    expect((await list()).code).toBe(0)
    if (disk.prefix.length > 0) return console.log('Disks cannot be mounted here: skipped.')
    disk.fill(process.pid)
    const args = [...ALL, 'none']
    const full = await run('setup.ts', args, settings, { input: PASSWORD })
    expect(full).toMatchObject({ code: 1, stdout: '' })
    expect(full.stderr).toMatch(/full|space/)
    expect(full.stderr).not.toMatch(/\n\s+at /)
    disk.free(process.pid)
    const next = await run('setup.ts', args, settings, { input: PASSWORD })
    expect(JSON.parse(next.stdout)).toMatchObject({ is_finished: true, operator: EMAIL })
  })

  test('that cannot be written is named with the remedy', async () => {
    const folder = tempFolder()
    chmodSync(folder, 0o500)
    const isRoot = process.getuid?.() === 0
    const NOBODY = 65_534
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
    const prefix = isRoot ? ['setpriv', ...user] : []
    const settings = { DATA_DIR: folder, PORT: String(await findFreePort()) }
    const { code, stdout, stderr } = await run('setup.ts', [...ALL, 'none'], settings, {
      input: PASSWORD,
      prefix,
    })
    chmodSync(folder, 0o700)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(folder)
    expect(stderr).not.toMatch(/\n\s+at /)
    expect(readdirSync(folder)).toEqual([])
  })
})
