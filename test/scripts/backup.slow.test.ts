// Backup and restore as people and scripts run them: beside a server under load, killed at random moments, and with
// every possible defect of a backup.
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import { type BackupManifest, hashFile, listBackups } from '#store/backup/folder.ts'
import { openDatabase } from '#store/db.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { sizedFor } from '../support/chaos.ts'
import { createTempFolder } from '../support/closers.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import {
  type Acknowledgement,
  createLoadedFolder,
  startClients,
} from '../support/operations/backup-load.ts'
import { createNext, NEXT_COLUMN } from '../support/operations/releases.ts'
import { createPhotoProcess } from '../support/photos/photo-process.ts'
import { runCommand, startProcess } from '../support/process.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { folderChecksums } from '../support/table-checksums.ts'
import { createTestApp } from '../support/test-app.ts'

/** An outer limit on a busy machine; nothing here waits for it. */
setDefaultTimeout(sizedFor(120_000, 60 * 60_000))

const tempFolder = () => createTempFolder('cardstock-backup-')

type Command = 'backup' | 'restore'

function start(command: Command, dataDir: string, args: readonly string[], blocksMax?: number) {
  // As on a full disk: no file can grow beyond the given number of 512-byte blocks, and the write fails.
  const limit = ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocksMax}; exec "$@"`, 'sh']
  return startProcess(`scripts/${command}.ts`, {
    args,
    cwd: tmpdir(),
    env: { DATA_DIR: dataDir },
    prefix: blocksMax === undefined ? [] : limit,
  })
}

async function run(...call: Parameters<typeof start>) {
  const { exited, stdout, stderr } = start(...call)
  return { code: await exited, stdout: stdout(), stderr: stderr() }
}

async function succeed(command: Command, dataDir: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(command, dataDir, args)
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** Expects an error: nothing on stdout, a message without a stack on stderr. */
async function refuse(words: RegExp, ...call: Parameters<typeof run>): Promise<void> {
  const { code, stdout, stderr } = await run(...call)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(words)
  expect(stderr).not.toMatch(/\n\s+at |node_modules/)
}

/** A data folder without a running program, and a backup of it, in one folder. */
type BackedUp = { root: string; dataDir: string; dir: string; folder: string }

let template: Promise<BackedUp> | undefined
afterAll(async () => {
  if (template !== undefined) rmSync((await template).root, { recursive: true, force: true })
})

/** Returns a copy of the first data folder and its backup. */
async function openBackedUp(): Promise<BackedUp> {
  template ??= backUpNew(mkdtempSync(join(tmpdir(), 'cardstock-backed-up-')))
  const { root, folder } = await template
  const copy = tempFolder()
  // Includes modes and times.
  expect(Bun.spawnSync(['cp', '-a', `${root}/.`, copy]).exitCode).toBe(0)
  const paths = { dataDir: join(copy, 'data'), dir: join(copy, 'backups') }
  return { root: copy, ...paths, folder: join(paths.dir, basename(folder)) }
}

/** @param ballast bytes in the catalog that slow its copy down */
async function backUpNew(root: string, ballast = 0): Promise<BackedUp> {
  const testApp = await createTestApp({ onDisk: true })
  const dataDir = join(root, 'data')
  cpSync(testApp.deps.config.dataDir, dataDir, { recursive: true })
  testApp.close()
  loadAppSecret(dataDir)
  if (ballast > 0) {
    const db = openDatabase(join(dataDir, 'catalog.db'))
    db.exec(
      `CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (randomblob(${ballast}))`,
    )
    db.close()
  }
  const dir = join(root, 'backups')
  const { folder } = await succeed('backup', dataDir, dir)
  return { root, dataDir, dir, folder: String(folder) }
}

/** A change after the backup. */
function change(dataDir: string): void {
  const ledger = openDatabase(join(dataDir, 'ledger.db'))
  ledger.exec("UPDATE accounts SET email = 'later-' || email")
  ledger.close()
}

const manifestOf = (folder: string): BackupManifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))

describe('under the load of 16 clients', () => {
  test('a backup has everything before it and nothing after it, and responses are equal once it is restored', async () => {
    const world = await createLoadedFolder()
    const { dataDir, keys, session } = world
    closeAfterUse(() => rmSync(dataDir, { recursive: true, force: true }), world.close)
    const server = await openServer(dataDir)
    const clients = startClients({ url: server.url, keys, session })
    const dir = join(tempFolder(), 'backups')
    while (clients.requests() < 500) await Bun.sleep(5)

    const rounds: { folder: string; over: number }[] = []
    for (let round = 0; round < sizedFor(2, 20); round++) {
      const { folder } = await succeed('backup', dataDir, dir)
      rounds.push({ folder, over: Date.now() })
    }
    const acks = await clients.end()
    for (const { folder, over } of rounds) judge(folder, over, acks)

    const { folder } = await backupOfQuiet(dataDir, dir)
    expect(folderChecksums(folder)).toEqual(folderChecksums(dataDir))
    const restored = join(tempFolder(), 'new/data')
    expect(await succeed('restore', restored, dir)).toMatchObject({ backup: folder })
    expect(folderChecksums(restored)).toEqual(folderChecksums(dataDir))
    const second = await openServer(restored)
    const scan = acks.flat().find(({ kind }) => kind === 'scan')?.id
    for (const path of [
      '/v1/games',
      '/v1/search?q=marigold',
      '/v1/cards/900401/history?range=year',
      `/v1/identify/${scan}`,
      '/v1/identify/usage',
      '/v1/meta',
    ]) {
      const [one, two] = await Promise.all(
        [server, second].map(async ({ url }) => {
          const response = await fetch(url + path, { headers: { 'X-API-Key': keys.business } })
          const { rate_limit: _, ...body } = await response.json()
          return { status: response.status, body }
        }),
      )
      expect(one?.status).toBe(200)
      expect(two).toEqual(one)
    }
  })
})

async function openServer(dataDir: string) {
  const env = { PUBLIC_URL: 'http://cards.example' }
  const server = await createPhotoProcess({ dataDir, env })
  closeAfterUse(server.close)
  await server.start()
  return server
}

/** Compares the copy of a ledger with the responses that clients got, and their times. */
function judge(folder: string, over: number, acks: readonly Acknowledgement[][]): void {
  const ledger = openDatabase(join(folder, 'ledger.db'), { readonly: true })
  const there = new Set(
    ledger
      .prepare<[], string>('SELECT id FROM identifications UNION SELECT id FROM keys')
      .pluck()
      .all(),
  )
  ledger.close()
  const { files } = manifestOf(folder)
  const taken = Date.parse(files.find(({ name }) => name === 'ledger.db')?.taken_at ?? '')
  let [before, after] = [0, 0]
  for (const own of acks) {
    for (const { id, requestedAt, acknowledgedAt } of own) {
      if (acknowledgedAt < taken) {
        before++
        expect(there.has(id)).toBe(true)
      }
      if (requestedAt > over) {
        after++
        expect(there.has(id)).toBe(false)
      }
    }
    // A copy shows one moment: if it contains a request of a client, it contains the client's earlier ones.
    const missing = own.findIndex(({ id }) => !there.has(id))
    expect(own.slice(missing < 0 ? own.length : missing).some(({ id }) => there.has(id))).toBe(
      false,
    )
  }
  expect(before).toBeGreaterThan(0)
  console.info(`backup under load: ${before} acknowledged before and there, ${after} later and not`)
}

/** A server writes its counters occasionally; then another backup is due. */
async function backupOfQuiet(dataDir: string, dir: string): Promise<{ folder: string }> {
  for (;;) {
    const before = folderChecksums(dataDir)
    const report = await succeed('backup', dataDir, dir)
    if (Bun.deepEquals(before, folderChecksums(dataDir))) return report
  }
}

describe('killed', () => {
  const KILLS = sizedFor(8, 300)
  const random = randomFrom(SEED)

  test(`${KILLS} killed backups are complete or do not look like one`, async () => {
    const { dataDir, dir } = await backUpNew(tempFolder(), 30_000_000)
    const isWriting = () => readdirSync(dir).some((name) => name.endsWith('.unfinished'))
    const { ms } = await succeed('backup', dataDir, dir)
    let leftOver = 0
    let kills = 0
    // Continues until a quarter of the kills came in time: on a busy machine, the process may finish before.
    for (; kills < KILLS || leftOver <= KILLS / 4; kills++) {
      const child = start('backup', dataDir, [dir])
      while (!isWriting() && !child.hasEnded()) await Bun.sleep(1)
      await Bun.sleep(random() * ms)
      await child.kill()
      if (isWriting()) leftOver++
      for (const name of readdirSync(dir).filter((found) => found.startsWith('cardstock-'))) {
        for (const { name: file, sha256 } of manifestOf(join(dir, name)).files) {
          expect(hashFile(join(dir, name, file))).toBe(sha256)
        }
      }
      // The next backup removes these first.
      for (const name of readdirSync(dir).filter((found) => found.endsWith('.unfinished'))) {
        rmSync(join(dir, name), { recursive: true })
      }
    }
    console.info(`${leftOver} of ${kills} killed backups were under way`)
    await succeed('backup', dataDir, dir)
    expect(readdirSync(dir).filter((name) => !name.startsWith('cardstock-'))).toEqual([])
  })

  test('a backup leaves only what the next one removes', async () => {
    const { dataDir, dir } = await backUpNew(tempFolder(), 30_000_000)
    const left = () => readdirSync(dir).filter((name) => name.startsWith('.'))
    const child = start('backup', dataDir, [dir])
    while (left().length === 0) await Bun.sleep(1)
    await child.kill()
    expect(left()).toHaveLength(1)
    await succeed('backup', dataDir, dir)
    expect(left()).toEqual([])
  })

  test(`${KILLS} killed restores leave the old files or the new ones, complete`, async () => {
    const { dataDir, folder } = await backUpNew(tempFolder(), 10_000_000)
    const wanted = folderChecksums(folder)
    const outcomes = { old: 0, new: 0, halfWay: 0 }
    change(dataDir)
    const old = folderChecksums(dataDir)
    for (let kill = 0; kill < KILLS; kill++) {
      const target = join(tempFolder(), 'data')
      cpSync(dataDir, target, { recursive: true })
      const child = start('restore', target, [folder, '--force'])
      // Every other kill happens while files are moved into place, which takes almost no time.
      const sign = kill % 2 === 0 ? '.restore' : 'restore-plan.json'
      while (!existsSync(join(target, sign)) && !child.hasEnded()) await Bun.sleep(0)
      await Bun.sleep(kill % 2 === 0 ? random() * 200 : 0)
      await child.kill()
      if (existsSync(join(target, 'restore-plan.json'))) outcomes.halfWay++
      // Like the next program that opens the folder.
      prepareFiles(target)
      const found = folderChecksums(target)
      const outcome = Bun.deepEquals(found, old) ? 'old' : 'new'
      expect(found).toEqual(outcome === 'old' ? old : wanted)
      outcomes[outcome]++
      rmSync(target, { recursive: true })
    }
    console.info(`killed restores: ${JSON.stringify(outcomes)}`)
    expect(outcomes.old + outcomes.new).toBe(KILLS)
  })
})

describe('backup', () => {
  test('has both files and the secret, readable only by their owner, with time and version', async () => {
    const { dataDir, folder } = await openBackedUp()
    expect(readdirSync(folder).sort()).toEqual([
      'app-secret',
      'catalog.db',
      'ledger.db',
      'manifest.json',
    ])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(folder, 'app-secret'), 'utf8').trim()).toBe(loadAppSecret(dataDir))
    const { format, program, begun_at, ended_at, files } = manifestOf(folder)
    expect([format, program]).toEqual([1, '0.1.0'])
    expect(begun_at <= ended_at).toBe(true)
    for (const { name, size, sha256, schema } of files) {
      expect(statSync(join(folder, name)).size).toBe(size)
      expect(hashFile(join(folder, name))).toBe(sha256)
      expect(schema === null).toBe(name === 'app-secret')
    }
  })

  test('says if it has no secret, and where that is', async () => {
    const { dataDir, dir } = await openBackedUp()
    rmSync(join(dataDir, 'app-secret'))
    const { code, stderr } = await run('backup', dataDir, [dir])
    expect([code, stderr]).toEqual([0, expect.stringContaining('APP_SECRET')])
  })

  test('of an empty folder is rejected', async () => {
    await refuse(/catalog\.db not found .+ DATA_DIR/, 'backup', tempFolder(), [tempFolder()])
  })

  test('onto a full disk is rejected, and leaves nothing', async () => {
    const { dataDir, dir } = await openBackedUp()
    const before = readdirSync(dir)
    await refuse(/Check the free space/, 'backup', dataDir, [dir], 600)
    expect(readdirSync(dir)).toEqual(before)
  })

  test('is rejected if a file is in the way', async () => {
    const { dataDir } = await openBackedUp()
    const path = join(tempFolder(), 'file')
    writeFileSync(path, '')
    await refuse(/could not be written/, 'backup', dataDir, [path])
  })
})

describe('restore', () => {
  test('of a folder of backups takes the newest complete one, and names it', async () => {
    const { dataDir, dir, folder } = await openBackedUp()
    change(dataDir)
    const newer = await succeed('backup', dataDir, dir)
    const target = tempFolder()
    expect(await succeed('restore', target, dir)).toMatchObject({ backup: newer.folder })
    rmSync(join(newer.folder, 'ledger.db'))
    expect(await succeed('restore', target, dir, '--force')).toMatchObject({ backup: folder })
    expect(folderChecksums(target)).toEqual(folderChecksums(folder))
    expect(readdirSync(target).filter((name) => /restore/.test(name))).toEqual([])
    expect(listBackups(dir)).toHaveLength(1)
  })

  test('replaces files and their logs only with --force', async () => {
    const { dataDir, folder } = await openBackedUp()
    const wanted = folderChecksums(folder)
    const open = openDatabase(join(dataDir, 'ledger.db'))
    open.exec("UPDATE accounts SET email = 'later-' || email")
    // The log stays, as after a killed server.
    const target = join(tempFolder(), 'data')
    cpSync(dataDir, target, { recursive: true })
    open.close()
    expect(existsSync(join(target, 'ledger.db-wal'))).toBe(true)
    const before = folderChecksums(target)
    await refuse(/already has .*ledger\.db.*\. Add --force/, 'restore', target, [folder])
    expect(folderChecksums(target)).toEqual(before)
    await succeed('restore', target, folder, '--force')
    expect(folderChecksums(target)).toEqual(wanted)
    prepareFiles(target)
    expect(await openLedger(target).accounts.getByEmail('pro@guests.example')).toBeDefined()
  })

  test('is rejected while a server or a sync uses the files', async () => {
    const { dataDir, folder } = await openBackedUp()
    const words = /is using this data folder\. Stop it/
    const ledger = openLedger(dataDir)
    await refuse(words, 'restore', dataDir, [folder, '--force'])
    ledger.close()
    const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    const intake = await openCatalogWriterDeps(config)
    await refuse(words, 'restore', dataDir, [folder, '--force'])
    intake.close()
    await succeed('restore', dataDir, folder, '--force')
  })

  const edit = (change: (manifest: BackupManifest) => void) => (folder: string) => {
    const manifest = manifestOf(folder)
    change(manifest)
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  }
  const flip = (name: string) => (folder: string) => {
    const bytes = readFileSync(join(folder, name))
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    writeFileSync(join(folder, name), bytes)
  }

  test.each<[string, (folder: string) => void, RegExp]>([
    ['a changed ledger', flip('ledger.db'), /ledger\.db has changed since the backup/],
    ['a changed catalog', flip('catalog.db'), /catalog\.db has changed since the backup/],
    ['a changed secret', flip('app-secret'), /app-secret has changed since the backup/],
    [
      'a longer file',
      (at) => appendFileSync(join(at, 'ledger.db'), 'x'),
      /ledger\.db has \d+ bytes/,
    ],
    ['a missing file', (at) => rmSync(join(at, 'catalog.db')), /catalog\.db is missing/],
    ['no manifest', (at) => rmSync(join(at, 'manifest.json')), /is not a backup/],
    [
      'a manifest that is a device',
      (at) => {
        rmSync(join(at, 'manifest.json'))
        symlinkSync('/dev/zero', join(at, 'manifest.json'))
      },
      /manifest\.json is not a regular file/,
    ],
    [
      'half a manifest',
      (at) => writeFileSync(join(at, 'manifest.json'), '{"for'),
      /is not valid JSON/,
    ],
    ['a manifest of nothing', edit((of) => of.files.splice(0)), /manifest\.json is invalid/],
    [
      'a manifest that leads elsewhere',
      edit((of) => {
        for (const file of of.files) if (file.name === 'app-secret') file.name = '../../x'
      }),
      /manifest\.json is invalid/,
    ],
    [
      'a newer format',
      edit((of) => {
        of.format = 2
      }),
      /has format 2, but this program supports only 1/,
    ],
    [
      'a newer schema',
      edit((of) => {
        for (const file of of.files) if (file.schema !== null) file.schema += 998
      }),
      /schema version 999, but this program supports \d+\. Restore it with Cardstock/,
    ],
    [
      'the schema of an unreleased version',
      edit((of) => {
        for (const file of of.files) if (file.schema !== null) file.schema = 25
      }),
      /its \w+\.db was written by an unreleased version of Cardstock.*Use another one/,
    ],
  ])('rejects a backup with %s, and changes nothing', async (_, spoil, words) => {
    const { dataDir, folder } = await openBackedUp()
    change(dataDir)
    const before = folderChecksums(dataDir)
    spoil(folder)
    await refuse(words, 'restore', dataDir, [folder, '--force'])
    expect(folderChecksums(dataDir)).toEqual(before)
    expect(readdirSync(dataDir).filter((name) => /restore/.test(name))).toEqual([])
  })

  test('onto a full disk is rejected, and changes nothing', async () => {
    const { dataDir, folder } = await openBackedUp()
    change(dataDir)
    const before = folderChecksums(dataDir)
    await refuse(
      /are unchanged\. Check the free space/,
      'restore',
      dataDir,
      [folder, '--force'],
      600,
    )
    expect(folderChecksums(dataDir)).toEqual(before)
    expect(readdirSync(dataDir).filter((name) => /restore/.test(name))).toEqual([])
  })

  test('of a backup with an older schema is migrated by the next start', async () => {
    const { folder } = await openBackedUp()
    const [next, target] = [join(tempFolder(), 'next'), tempFolder()]
    createNext(next)
    const script = join(next, 'src/restore-and-start.ts')
    writeFileSync(
      script,
      `import { restoreBackup } from '#actions/operations/restore-backup.ts'
       import { prepareFiles } from '#store/prepare-files.ts'
       const [dataDir = '', from = ''] = process.argv.slice(2)
       restoreBackup(dataDir, { from, force: false })
       prepareFiles(dataDir)`,
    )
    const { code, stderr } = await runCommand([process.execPath, script, target, folder])
    expect([code, stderr]).toEqual([0, ''])
    const db = openDatabase(join(target, 'catalog.db'), { readonly: true })
    expect(db.prepare('SELECT * FROM cards').columns()).toContainEqual(
      expect.objectContaining({ name: NEXT_COLUMN }),
    )
    db.close()
    expect(() => prepareFiles(target)).toThrow(/schema version 2, but this program supports only 1/)
  })
})
