// Everything that can be wrong with a data folder: a start is refused with one line that names the file and
// the remedy, and changes nothing.
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
import { join } from 'node:path'
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

/** Opens everything in a data folder, as each program does. */
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

/** Returns the message of the refusal. */
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

type Fault = [name: string, change: (dataDir: string) => void, message: RegExp]

const DATABASE_FAULTS = ['catalog.db', 'ledger.db'].flatMap((name): Fault[] => {
  const lost = new RegExp(`/${name} is missing or empty.*"bun run admin adopt ${name}"`)
  const foreign = new RegExp(`/${name} is a database of another program\\. Move it away`)
  const at = (dataDir: string) => join(dataDir, name)
  const replace = (dataDir: string, sql: string) => {
    rmSync(at(dataDir))
    execute(at(dataDir), sql)
  }
  return [
    [`${name} is missing`, (dataDir) => rmSync(at(dataDir)), lost],
    [`${name} has no bytes`, (dataDir) => truncateSync(at(dataDir)), lost],
    [`${name} has no tables`, (dataDir) => replace(dataDir, 'VACUUM'), lost],
    [
      `${name} is of another installation`,
      (dataDir) => cpSync(join(root, 'other', name), at(dataDir)),
      new RegExp(`/${name} belongs to another installation.*"bun run admin adopt ${name}"`),
    ],
    [
      `${name} is a text`,
      (dataDir) => writeFileSync(at(dataDir), 'accounts,keys\n'.repeat(1000)),
      new RegExp(`/${name} is damaged or is not a file of Cardstock\\..*restore.*SQLITE_NOTADB`),
    ],
    [
      `${name} is of another program`,
      (dataDir) => replace(dataDir, 'CREATE TABLE moz_places (id INTEGER)'),
      foreign,
    ],
    [
      `${name} is of another program with a version of Cardstock`,
      (dataDir) =>
        replace(dataDir, 'CREATE TABLE moz_places (id INTEGER); PRAGMA user_version = 8'),
      foreign,
    ],
    [
      `${name} is of a newer program`,
      (dataDir) => changeVersion(at(dataDir), (version) => version + 98),
      new RegExp(`/${name} has schema version 99, but this program supports only`),
    ],
    [
      `${name} is of an unreleased program`,
      (dataDir) => changeVersion(at(dataDir), () => 25),
      new RegExp(`/${name} was written by an unreleased version of Cardstock, .*: move the data`),
    ],
    [
      `${name} is a folder`,
      (dataDir) => {
        rmSync(at(dataDir))
        mkdirSync(at(dataDir))
      },
      new RegExp(`/${name} is not a file\\. Move it away`),
    ],
    [
      `${name} is a link in a circle`,
      (dataDir) => {
        rmSync(at(dataDir))
        symlinkSync(name, at(dataDir))
      },
      new RegExp(`/${name} cannot be opened: .* looping link .*ELOOP`),
    ],
    [
      `${name}-wal is a folder`,
      (dataDir) => {
        rmSync(`${at(dataDir)}-wal`, { force: true })
        mkdirSync(`${at(dataDir)}-wal`)
      },
      new RegExp(`/${name}-wal is not a file`),
    ],
    [
      `${name}-wal is a text`,
      (dataDir) => writeFileSync(`${at(dataDir)}-wal`, 'a text'),
      new RegExp(`/${name}-wal is not a write-ahead log of SQLite\\..*restore`),
    ],
    [
      `${name}-shm is a folder`,
      (dataDir) => {
        rmSync(`${at(dataDir)}-shm`, { force: true })
        mkdirSync(`${at(dataDir)}-shm`)
      },
      new RegExp(`/${name}-shm is not a file`),
    ],
  ]
})

const FOLDER_FAULTS = ['backups', 'bulk', 'pictures', 'staging'].flatMap((name): Fault[] => [
  [
    `${name} is a file`,
    (dataDir) => writeFileSync(join(dataDir, name), 'x'),
    new RegExp(`/${name} is not a folder\\. Move it away`),
  ],
  [
    `${name} is a broken link`,
    (dataDir) => symlinkSync('/no/such/folder', join(dataDir, name)),
    new RegExp(`/${name} is a broken link`),
  ],
])

const OTHER_FAULTS: Fault[] = [
  [
    'app-secret is a folder',
    (dataDir) => {
      rmSync(join(dataDir, 'app-secret'))
      mkdirSync(join(dataDir, 'app-secret'))
    },
    /app-secret is not a file/,
  ],
  [
    'app-secret is truncated',
    (dataDir) => truncateSync(join(dataDir, 'app-secret'), 10),
    /app-secret does not contain a valid secret\. Restore it/,
  ],
  [
    'app-secret is of another installation',
    (dataDir) => cpSync(join(root, 'other/installation-id'), join(dataDir, 'installation-id')),
    /app-secret belongs to another installation.*"bun run admin adopt app-secret"/,
  ],
  [
    'installation-id is truncated',
    (dataDir) => truncateSync(join(dataDir, 'installation-id'), 5),
    /installation-id does not contain an id\. Delete it/,
  ],
  [
    'both databases are missing beside the secret',
    (dataDir) => ['catalog.db', 'ledger.db'].map((name) => rmSync(join(dataDir, name))),
    /ledger\.db is missing or empty/,
  ],
  [
    'a lock is a folder',
    (dataDir) => {
      rmSync(join(dataDir, 'files.lock'))
      mkdirSync(join(dataDir, 'files.lock'))
    },
    /files\.lock is not a file/,
  ],
  [
    'a lock is a text',
    (dataDir) =>
      writeFileSync(join(dataDir, 'files.lock'), 'plain text, not a database '.repeat(50)),
    /files\.lock is damaged\. Stop every program .* and delete the file/,
  ],
  [
    'the folder is a file',
    (dataDir) => {
      rmSync(dataDir, { recursive: true })
      writeFileSync(dataDir, 'x')
    },
    /copy-\d+ cannot be opened: a folder, a file or a looping link is in its place.*EEXIST/,
  ],
  [
    'the folder is a link in a circle',
    (dataDir) => {
      rmSync(dataDir, { recursive: true })
      symlinkSync(dataDir, dataDir)
    },
    /copy-\d+ cannot be opened: a folder, a file or a looping link is in its place/,
  ],
]

describe('a start is refused, changes nothing and says why, if', () => {
  test.each([...DATABASE_FAULTS, ...FOLDER_FAULTS, ...OTHER_FAULTS])('%s', (_, change, message) => {
    const dataDir = copyTemplate()
    change(dataDir)
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

test('the files of a lost ledger that come back are accepted', () => {
  const dataDir = copyTemplate()
  renameSync(join(dataDir, 'ledger.db'), join(dataDir, 'elsewhere'))
  expect(refusal(dataDir)).toMatch(/ledger\.db is missing or empty/)
  renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'ledger.db'))
  expect(refusal(dataDir)).toBe('it started')
})
