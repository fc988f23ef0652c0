// Copies of files that are being written, locks on data folders, and restores that are killed at every step.
import { describe, expect, test } from 'bun:test'
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { stageFile } from '#store/backup/restore.ts'
import { openFrozenFiles } from '#store/backup/snapshot.ts'
import { openDatabase } from '#store/db.ts'
import { lockDataFolder, shareDataFolder } from '#store/files/data-folder.ts'
import { openLedger } from '#store/open-ledger.ts'
import { closeAfterEach, createTempFolder } from '../../support/closers.ts'
import { folderChecksums, tableChecksums } from '../../support/table-checksums.ts'
import { createTestApp } from '../../support/test-app.ts'

const closers = closeAfterEach()

const tempFolder = () => createTempFolder('cardstock-backup-')

async function openRooms() {
  const testApp = await createTestApp({ onDisk: true })
  closers.push(testApp.close)
  return testApp
}

describe('a copy', () => {
  test('shows every table as of its beginning, whatever is written in the meantime', async () => {
    const testApp = await openRooms()
    const { dataDir } = testApp.deps.config
    const folder = tempFolder()
    const ledger = openDatabase(join(dataDir, 'ledger.db'))
    closers.push(() => ledger.close())
    // Makes copying take a few hundred steps.
    ledger.exec('CREATE TABLE ballast (bytes BLOB)')
    ledger.exec('INSERT INTO ballast VALUES (randomblob(60000000))')
    testApp.publish()

    const frozen = openFrozenFiles(dataDir, () => new Date())
    closers.push(frozen.close)
    const before = folderChecksums(dataDir)
    let steps = 0
    const write = () => {
      steps++
      ledger.exec('UPDATE accounts SET scan_debt = scan_debt + 1')
      if (steps % 20 === 0) testApp.publish('UPDATE cards SET rarity = coalesce(rarity, 0) + 1')
    }
    const files = [await frozen.copyLedger(folder, write), await frozen.copyCatalog(folder, write)]

    expect(steps).toBeGreaterThan(70)
    expect(folderChecksums(folder)).toEqual(before)
    const after = folderChecksums(dataDir)
    for (const table of ['ledger.accounts', 'catalog.publication', 'catalog.cards']) {
      expect(after[table]).not.toBe(before[table])
    }
    expect(files.map((file) => file?.name)).toEqual(['ledger.db', 'catalog.db'])
    expect(readdirSync(folder).sort()).toEqual(['catalog.db', 'ledger.db'])
  })

  test('of a damaged file is rejected with a message', async () => {
    const { dataDir } = (await openRooms()).deps.config
    const folder = tempFolder()
    cpSync(dataDir, folder, { recursive: true })
    // Corrupts a page in the middle.
    const file = openSync(join(folder, 'ledger.db'), 'r+')
    writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, 20 * 4_096)
    closeSync(file)
    const frozen = openFrozenFiles(folder, () => new Date())
    closers.push(frozen.close)
    await expect(frozen.copyLedger(tempFolder(), () => {})).rejects.toThrow(
      /ledger\.db is corrupted .+ no backup was made/,
    )
  })

  test('with a dangling reference is rejected with a message', async () => {
    const { dataDir } = (await openRooms()).deps.config
    const ledger = openDatabase(join(dataDir, 'ledger.db'))
    ledger.pragma('foreign_keys = OFF')
    ledger.exec('DELETE FROM accounts WHERE id = (SELECT account_id FROM keys LIMIT 1)')
    ledger.close()
    const frozen = openFrozenFiles(dataDir, () => new Date())
    closers.push(frozen.close)
    await expect(frozen.copyLedger(tempFolder(), () => {})).rejects.toThrow(/refer to missing rows/)
  })
})

describe('a data folder', () => {
  test('can be shared by many, and is not locked in the meantime', () => {
    const folder = tempFolder()
    const [one, two] = [shareDataFolder(folder), shareDataFolder(folder)]
    expect(() => lockDataFolder(folder)).toThrow('Stop it and try again')
    one()
    expect(() => lockDataFolder(folder)).toThrow('Stop it and try again')
    two()
    lockDataFolder(folder)()
  })

  test('is unlocked when its process is killed', async () => {
    const folder = tempFolder()
    const module = join(import.meta.dir, '../../../src/store/files/data-folder.ts')
    const script = `const { lockDataFolder } = await import(${JSON.stringify(module)})
      lockDataFolder(${JSON.stringify(folder)}); console.log('taken'); await Bun.sleep(60_000)`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    await child.stdout.getReader().read()
    expect(() => lockDataFolder(folder)).toThrow('Stop it and try again')
    child.kill('SIGKILL')
    await child.exited
    shareDataFolder(folder)()
  })
})

/** Creates a restore before its first rename: the old files, the new ones and the plan. */
async function openSwap() {
  const { dataDir: old } = (await openRooms()).deps.config
  const template = tempFolder()
  cpSync(old, template, { recursive: true })
  const ledger = openDatabase(join(template, 'ledger.db'))
  ledger.pragma('wal_autocheckpoint = 0')
  ledger.exec("UPDATE accounts SET email = 'old' || email")
  const source = tempFolder()
  for (const name of ['catalog.db', 'ledger.db']) {
    const db = openDatabase(join(old, name))
    db.exec(`VACUUM INTO '${join(source, name)}'`)
    db.close()
  }
  for (const name of ['catalog.db', 'ledger.db']) stageFile(template, name, join(source, name))
  // Includes the log of a killed server.
  const world = tempFolder()
  cpSync(template, world, { recursive: true })
  ledger.close()
  expect(existsSync(join(world, 'ledger.db-wal'))).toBe(true)
  return { world, wanted: folderChecksums(source) }
}

/** The steps of a restore. */
const STEPS: ((folder: string) => void)[] = [
  (folder) =>
    writeFileSync(
      join(folder, 'restore-plan.json'),
      JSON.stringify({ names: ['catalog.db', 'ledger.db'] }),
    ),
  ...['catalog.db', 'ledger.db'].flatMap((name) => {
    const at = (folder: string, end = '') => join(folder, name + end)
    const aside = '.before-restore'
    return [
      (folder: string) => renameSync(at(folder), at(folder, aside)),
      (folder: string) => {
        if (existsSync(at(folder, '-wal'))) {
          renameSync(at(folder, '-wal'), at(folder, `${aside}-wal`))
        }
      },
      (folder: string) => rmSync(at(folder, '-shm'), { force: true }),
      (folder: string) => renameSync(join(folder, '.restore', name), at(folder)),
    ]
  }),
]

test('a restore killed at any step is completed by the next program, with intact new files', async () => {
  const { world, wanted } = await openSwap()
  for (let done = 1; done <= STEPS.length; done++) {
    const folder = join(tempFolder(), 'data')
    cpSync(world, folder, { recursive: true })
    for (const step of STEPS.slice(0, done)) step(folder)
    openLedger(folder).close()
    expect(folderChecksums(folder)).toEqual(wanted)
    expect(readdirSync(folder).filter((name) => /restore/.test(name))).toEqual([])
  }
})

test('a restore killed before its plan changes nothing: the old files and their logs are intact', async () => {
  const { world } = await openSwap()
  openLedger(world).close()
  const ledger = openDatabase(join(world, 'ledger.db'))
  expect(ledger.prepare('SELECT email FROM accounts LIMIT 1').pluck().get()).toStartWith('old')
  expect(Object.keys(tableChecksums(ledger))).toContain('accounts')
  ledger.close()
})
