// All defects of a data folder: a start is refused with one line that names the file and the remedy, and changes
// nothing.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openDatabase } from '#store/db.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { adoptFile } from '#store/files/installation.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { migrate, schemaVersion } from '#store/migrate.ts'
import { openCatalog } from '#store/open-catalog.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'

let root: string
let folders = 0

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'cardstock-faults-'))
  for (const name of ['template', 'other']) start(join(root, name))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Opens everything in a data folder, like each program. */
function start(dataDir: string): void {
  prepareFiles(dataDir)
  loadAppSecret(dataDir)
  openCatalog(dataDir, (url) => url).close()
  openLedger(dataDir).close()
}

function copyTemplate(): string {
  const dataDir = join(root, `copy-${folders++}`)
  cpSync(join(root, 'template'), dataDir, { recursive: true })
  return dataDir
}

/** Returns the message of a refused start. */
function refusal(dataDir: string): string {
  try {
    start(dataDir)
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
  return 'it started'
}

/** Hashes the contents of all files that are not temporary. */
function contents(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir).filter((name) => !/-shm$|-wal$|\.lock$/.test(name))
  const files = names.filter((name) => lstatSync(join(dataDir, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [name, Bun.hash(readFileSync(join(dataDir, name))).toString()]),
  )
}

function execute(path: string, sql: string): void {
  const db = openDatabase(path)
  db.exec(sql)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function changeVersion(path: string, change: (version: number) => number): void {
  const db = openDatabase(path)
  db.pragma(`user_version = ${change(schemaVersion(db))}`)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

function replaceByFolder(path: string): void {
  rmSync(path, { force: true })
  mkdirSync(path)
}

/** Something wrong with a file or folder, by its path, and the message of the refusal. */
type Fault = [name: string, path: string, change: (path: string) => void, message: RegExp]

const TEXT = 'accounts,keys\n'.repeat(1000)
const OTHER_PROGRAM = 'CREATE TABLE moz_places (id INTEGER)'

function replaceByDatabase(path: string, sql: string): void {
  rmSync(path)
  execute(path, sql)
}

const copyOther = (path: string) => cpSync(join(root, 'other', basename(path)), path)

function linkToItself(path: string): void {
  rmSync(path, { recursive: true })
  symlinkSync(path, path)
}

const DATABASE_FAULTS = ['catalog.db', 'ledger.db'].flatMap((name): Fault[] => {
  const [log, index] = [`${name}-wal`, `${name}-shm`]
  const messageOf = (message: string) => new RegExp(`/${name}${message}`)
  const lost = messageOf(` is missing or empty.*"bun run admin adopt ${name}"`)
  const foreign = messageOf(' is a database of another program\\. Move it away')
  const alien = messageOf(` belongs to another installation.*"bun run admin adopt ${name}"`)
  const damaged = messageOf(' is damaged or is not a file of Cardstock\\..*restore.*SQLITE_NOTADB')
  const newer = messageOf(' has schema version 99, but this program supports only')
  const unreleased = messageOf(
    ' was written by an unreleased version of Cardstock, .*: move the data',
  )
  const noLog = messageOf('-wal is not a write-ahead log of SQLite\\..*restore')
  const program = `${OTHER_PROGRAM}; PRAGMA user_version = 8`
  return [
    ['is missing', name, (path) => rmSync(path), lost],
    ['has no bytes', name, (path) => truncateSync(path), lost],
    ['has no tables', name, (path) => replaceByDatabase(path, 'VACUUM'), lost],
    ['is of another installation', name, copyOther, alien],
    ['is a text', name, (path) => writeFileSync(path, TEXT), damaged],
    ['is of another program', name, (path) => replaceByDatabase(path, OTHER_PROGRAM), foreign],
    [
      'is of another program with a version of Cardstock',
      name,
      (path) => replaceByDatabase(path, program),
      foreign,
    ],
    ['is of a newer program', name, (path) => changeVersion(path, (now) => now + 98), newer],
    ['is of an unreleased program', name, (path) => changeVersion(path, () => 25), unreleased],
    ['is a folder', name, replaceByFolder, messageOf(' is not a file\\. Move it away')],
    [
      'is a link in a circle',
      name,
      linkToItself,
      messageOf(' cannot be opened: .* looping link .*ELOOP'),
    ],
    ['is a folder', log, replaceByFolder, messageOf('-wal is not a file')],
    ['is a text', log, (path) => writeFileSync(path, 'a text'), noLog],
    ['is a folder', index, replaceByFolder, messageOf('-shm is not a file')],
  ]
})

const FOLDER_FAULTS = ['backups', 'bulk', 'pictures', 'staging'].flatMap((name): Fault[] => {
  const [none, link] = [`/${name} is not a folder\\. Move it away`, `/${name} is a broken link`]
  return [
    ['is a file', name, (path) => writeFileSync(path, 'x'), new RegExp(none)],
    ['is a broken link', name, (path) => symlinkSync('/no/such/folder', path), new RegExp(link)],
  ]
})

const OTHER_FAULTS: Fault[] = [
  ['is a folder', 'app-secret', replaceByFolder, /app-secret is not a file/],
  [
    'is truncated',
    'app-secret',
    (path) => truncateSync(path, 10),
    /app-secret does not contain a valid secret\. Restore it/,
  ],
  [
    'is of another installation',
    'installation-id',
    copyOther,
    /app-secret belongs to another installation.*"bun run admin adopt app-secret"/,
  ],
  [
    'is truncated',
    'installation-id',
    (path) => truncateSync(path, 5),
    /installation-id does not contain an id\. Delete it/,
  ],
  [
    'has no database beside the secret',
    '',
    (path) => ['catalog.db', 'ledger.db'].map((name) => rmSync(join(path, name))),
    /ledger\.db is missing or empty/,
  ],
  ['is a folder', 'files.lock', replaceByFolder, /files\.lock is not a file/],
  [
    'is a text',
    'files.lock',
    (path) => writeFileSync(path, TEXT),
    /files\.lock is damaged\. Stop every program .* and delete the file/,
  ],
  [
    'is a file',
    '',
    (path) => {
      rmSync(path, { recursive: true })
      writeFileSync(path, 'x')
    },
    /copy-\d+ cannot be opened: a folder, a file or a looping link is in its place.*EEXIST/,
  ],
  [
    'is a link in a circle',
    '',
    linkToItself,
    /copy-\d+ cannot be opened: a folder, a file or a looping link is in its place/,
  ],
]

describe('a start is refused, changes nothing and says why, if', () => {
  const all = [...DATABASE_FAULTS, ...FOLDER_FAULTS, ...OTHER_FAULTS]
  test.each(
    all.map(
      ([fault, path, ...rest]) => [`${path || 'the folder'} ${fault}`, path, ...rest] as const,
    ),
  )('%s', (_, path, change, message) => {
    const dataDir = copyTemplate()
    change(join(dataDir, path))
    const before = existsSync(dataDir) && lstatSync(dataDir).isDirectory() ? contents(dataDir) : {}
    const text = refusal(dataDir)
    expect(text).toMatch(message)
    expect(text).not.toMatch(/\n|node_modules|\s+at /)
    if (Object.keys(before).length > 0) expect(contents(dataDir)).toEqual(before)
  })

  test.each(['catalog.db', 'ledger.db'])('%s is cut at any page', (name) => {
    const pages = statSync(join(root, 'template', name)).size / 4096
    expect(pages).toBeGreaterThan(40)
    const dataDir = copyTemplate()
    for (let page = pages - 1; page >= 0; page -= page > pages - 4 || page < 3 ? 1 : 3) {
      // Also within a page near the end, which SQLite would read as zeros.
      for (const rest of page > pages - 4 ? [100, 0] : [0]) {
        truncateSync(join(dataDir, name), page * 4096 + rest)
        const text = refusal(dataDir)
        expect(text).toContain(`/${name} is `)
        expect(text).toMatch(/restore/)
      }
    }
  })
})

test.each(['catalog.db', 'ledger.db'])(
  'a damaged page of %s never ends a start without a reason',
  (name) => {
    const template = readFileSync(join(root, 'template', name))
    const db = openDatabase(join(root, 'template', name), { readonly: true })
    const rootOf = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    const installation = (rootOf.pluck().get('installation') ?? 0) - 1
    db.close()
    const some = Array.from({ length: template.length / 4096 / 10 }, (_, index) => index * 10)
    const dataDir = copyTemplate()
    const texts = [installation, ...some].map((page) => {
      const damaged = Buffer.from(template)
      damaged.fill(0xa5, page * 4096, (page + 1) * 4096)
      writeFileSync(join(dataDir, name), damaged)
      return refusal(dataDir)
    })
    for (const text of texts) {
      expect(text).toMatch(/^it started$|\/(catalog|ledger)\.db (is|has|does not have) .*restore/)
    }
    expect(texts[0]).toContain(`/${name} is damaged`)
  },
)

describe('a folder whose first start was killed before it wrote ids', () => {
  function openUnnamed(): string {
    const dataDir = join(root, `unnamed-${folders++}`)
    mkdirSync(dataDir)
    for (const [name, migrations] of [
      ['catalog.db', CATALOG_MIGRATIONS],
      ['ledger.db', LEDGER_MIGRATIONS],
    ] as const) {
      const db = openDatabase(join(dataDir, name))
      migrate(db, migrations)
      db.close()
    }
    execute(
      join(dataDir, 'catalog.db'),
      "UPDATE publication SET published_at = '2026-11-20T12:00:00.000Z'",
    )
    return dataDir
  }

  test('gets one id at the next start', () => {
    const dataDir = openUnnamed()
    start(dataDir)
    const id = readFileSync(join(dataDir, 'installation-id'), 'utf8').trim()
    for (const name of ['catalog.db', 'ledger.db']) {
      const db = openDatabase(join(dataDir, name), { readonly: true })
      expect(db.prepare('SELECT id FROM installation').pluck().all()).toEqual([id])
      db.close()
    }
    start(dataDir)
  })

  test.each([
    ['missing', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
  ])('is refused if its catalog is published and its ledger is %s', (_, change) => {
    const dataDir = openUnnamed()
    change(join(dataDir, 'ledger.db'))
    expect(refusal(dataDir)).toMatch(/ledger\.db is missing or empty/)
  })

  test.each([
    ['the ledger', ['ledger.db']],
    ['both databases', ['ledger.db', 'catalog.db']],
  ])('starts if a start was killed after %s got an id', (_, named) => {
    const dataDir = openUnnamed()
    start(dataDir)
    rmSync(join(dataDir, 'installation-id'))
    for (const name of ['ledger.db', 'catalog.db'].filter((file) => !named.includes(file))) {
      execute(join(dataDir, name), 'DELETE FROM installation')
    }
    expect(refusal(dataDir)).toBe('it started')
  })
})

describe('a schema that was changed', () => {
  test.each([
    [
      'a missing index',
      'DROP INDEX alert_messages_waiting',
      /no such index: alert_messages_waiting/,
    ],
    ['a missing table', 'DROP TABLE sessions', /without sessions\./],
    [
      'a missing column',
      'ALTER TABLE alert_channels DROP COLUMN old_secret',
      /without alert_channels\.old_secret/,
    ],
  ])('is refused for %s', (_, sql, message) => {
    const dataDir = copyTemplate()
    execute(join(dataDir, 'ledger.db'), sql)
    expect(refusal(dataDir)).toMatch(message)
    expect(refusal(dataDir)).toMatch(/ledger\.db .* another program changed it\. Restore a backup/)
  })

  // A server opens later catalogs of a fleet without the checks of a start.
  test.each(['logo_url', 'set_count', 'card_count'])(
    'is refused for a renamed column when a catalog is opened: games.%s',
    (column) => {
      const dataDir = copyTemplate()
      execute(join(dataDir, 'catalog.db'), `ALTER TABLE games RENAME COLUMN ${column} TO other`)
      const open = () => openCatalog(dataDir, (url) => url).close()
      expect(open).toThrow(/catalog\.db does not have the schema of this program/)
    },
  )

  test('is accepted if it only has more than needed', () => {
    const dataDir = copyTemplate()
    execute(
      join(dataDir, 'ledger.db'),
      'CREATE INDEX own_index ON accounts (created_at); CREATE TABLE notes (text TEXT)',
    )
    expect(refusal(dataDir)).toBe('it started')
  })
})

describe('an operator accepts', () => {
  test.each(['ledger.db', 'catalog.db'] as const)(
    'a missing %s, which is created empty',
    (name) => {
      const dataDir = copyTemplate()
      rmSync(join(dataDir, name))
      writeFileSync(join(dataDir, `${name}-wal`), 'left over')
      expect(adoptFile(dataDir, name)).toBe(true)
      expect(refusal(dataDir)).toBe('it started')
    },
  )

  test.each(['ledger.db', 'catalog.db'] as const)(
    '%s of another installation, unchanged',
    (name) => {
      const dataDir = copyTemplate()
      cpSync(join(root, 'other', name), join(dataDir, name))
      execute(join(dataDir, name), 'CREATE TABLE notes (text TEXT)')
      expect(adoptFile(dataDir, name)).toBe(false)
      expect(refusal(dataDir)).toBe('it started')
      const db = openDatabase(join(dataDir, name), { readonly: true })
      expect(db.prepare('SELECT count(*) FROM notes').pluck().get()).toBe(0)
      db.close()
    },
  )

  test('both databases of another installation beside the own secret', () => {
    const dataDir = copyTemplate()
    for (const name of ['ledger.db', 'catalog.db']) {
      cpSync(join(root, 'other', name), join(dataDir, name))
    }
    expect(refusal(dataDir)).toMatch(/app-secret belongs to another installation/)
    expect(adoptFile(dataDir, 'app-secret')).toBe(false)
    expect(refusal(dataDir)).toBe('it started')
  })

  test('nothing that is in order, and nothing while the folder is in use', () => {
    const dataDir = copyTemplate()
    expect(() => adoptFile(dataDir, 'ledger.db')).toThrow(/already belongs to the other files/)
    rmSync(join(dataDir, 'ledger.db'))
    expect(() => adoptFile(dataDir, 'catalog.db')).toThrow(/ledger\.db is missing or empty/)
    const catalog = openCatalog(dataDir, (url) => url)
    expect(() => adoptFile(dataDir, 'ledger.db')).toThrow(/is using this data folder/)
    catalog.close()
    expect(adoptFile(dataDir, 'ledger.db')).toBe(true)
  })
})

test('the restored files of a lost ledger are accepted', () => {
  const dataDir = copyTemplate()
  renameSync(join(dataDir, 'ledger.db'), join(dataDir, 'elsewhere'))
  expect(refusal(dataDir)).toMatch(/ledger\.db is missing or empty/)
  renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'ledger.db'))
  expect(refusal(dataDir)).toBe('it started')
})
