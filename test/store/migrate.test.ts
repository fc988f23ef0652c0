import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { countSchemaSteps } from '#rules/operations/schema-version.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import * as catalogSchema from '#store/catalog/schema.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import * as ledgerSchema from '#store/ledger/schema.ts'
import {
  assertSchema,
  type Migration,
  migrate,
  schemaVersion,
  schemaVersionAfter,
} from '#store/migrate.ts'
import { prepareFiles } from '#store/prepare-files.ts'

let folder: string
let files = 0

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-migrate-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const newFile = () => join(folder, `${files++}.db`)

const STEPS: readonly [Migration, Migration] = [
  { name: '0001', sql: 'CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1)' },
  { name: '0002', sql: 'INSERT INTO a VALUES (2)' },
]

const stepsOf = (db: Db) => countSchemaSteps(schemaVersion(db))
const rowsOf = (db: Db) => db.prepare('SELECT id FROM a ORDER BY id').pluck().all()

const UNRELEASED =
  /was written by an unreleased version of Cardstock, which this one cannot open: move the data folder away/

describe('a file', () => {
  test('is migrated to the newest schema step by step', () => {
    const db = openDatabase(newFile())
    migrate(db, STEPS.slice(0, 1))
    expect([stepsOf(db), rowsOf(db)]).toEqual([1, [1]])
    migrate(db, STEPS)
    expect([stepsOf(db), rowsOf(db)]).toEqual([2, [1, 2]])
    db.close()
  })

  test('that is up to date is not changed by a second start or process', () => {
    const path = newFile()
    const db = openDatabase(path)
    const second = openDatabase(path)
    migrate(db, STEPS)
    migrate(second, STEPS)
    migrate(db, STEPS)
    expect([stepsOf(db), rowsOf(db)]).toEqual([2, [1, 2]])
    db.close()
    second.close()
  })

  test('of a newer program is rejected and not changed', () => {
    const db = openDatabase(newFile())
    migrate(db, STEPS)
    expect(() => migrate(db, STEPS.slice(0, 1))).toThrow(
      /has schema version 2, but this program supports only 1.*newer version of Cardstock/s,
    )
    expect([stepsOf(db), rowsOf(db)]).toEqual([2, [1, 2]])
    db.close()
  })

  test('of an unreleased program, whose baseline was another one, is rejected and not changed', () => {
    const db = openDatabase(newFile())
    const [baseline, step] = STEPS
    migrate(db, [{ ...baseline, sql: `${baseline.sql}; CREATE TABLE b (id INTEGER)` }])
    expect(() => migrate(db, STEPS)).toThrow(UNRELEASED)
    db.pragma('user_version = 27')
    expect(() => migrate(db, STEPS)).toThrow(UNRELEASED)
    expect(() => assertSchema(db, STEPS)).toThrow(UNRELEASED)
    expect(rowsOf(db)).toEqual([1])
    db.close()
    const commented = openDatabase(newFile())
    migrate(commented, [{ ...baseline, sql: `-- A table.\n${baseline.sql}  -- and its row` }, step])
    expect(() => assertSchema(commented, STEPS)).not.toThrow()
    commented.close()
  })

  test('is unchanged by a step that fails, and can be migrated later', () => {
    const db = openDatabase(newFile())
    const broken = { name: '0002', sql: 'INSERT INTO a VALUES (3); INSERT INTO nowhere VALUES (1)' }
    expect(() => migrate(db, [...STEPS.slice(0, 1), broken])).toThrow(/nowhere/)
    expect([stepsOf(db), rowsOf(db)]).toEqual([1, [1]])
    migrate(db, STEPS)
    expect(rowsOf(db)).toEqual([1, 2])
    db.close()
  })

  test('of an older schema is not accepted as the newest', () => {
    const db = openDatabase(newFile())
    migrate(db, STEPS.slice(0, 1))
    expect(() => assertSchema(db, STEPS)).toThrow(/has schema version 1 of 2/)
    migrate(db, STEPS)
    expect(() => assertSchema(db, STEPS)).not.toThrow()
    db.close()
  })
})

describe('the files of the data folder', () => {
  test('exist after the first start, and a second one changes nothing', () => {
    const dataDir = join(folder, 'data')
    prepareFiles(dataDir)
    const schemas = () =>
      ['catalog.db', 'ledger.db'].map((name) => {
        const db = openDatabase(join(dataDir, name), { readonly: true })
        const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all()
        const version = schemaVersion(db)
        db.close()
        return { version, rows }
      })
    const first = schemas()
    expect(first.map(({ version }) => version)).toEqual([
      schemaVersionAfter(CATALOG_MIGRATIONS),
      schemaVersionAfter(LEDGER_MIGRATIONS),
    ])
    prepareFiles(dataDir)
    expect(schemas()).toEqual(first)
  })
})

describe.each([
  ['catalog', catalogSchema, CATALOG_MIGRATIONS],
  ['ledger', ledgerSchema, LEDGER_MIGRATIONS],
] as const)('the schema of %s in code', (_name, schema, migrations) => {
  const tables = Object.values(schema).filter((table) => is(table, SQLiteTable))
  let db: Db

  beforeAll(() => {
    db = openDatabase(newFile())
    migrate(db, migrations)
  })
  afterAll(() => void db.close())

  test('has exactly the tables of the migrated file', () => {
    const found = db
      .prepare<[], string>(
        `SELECT name FROM pragma_table_list
          WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .pluck()
      .all()
    expect(tables.map((table) => getTableConfig(table).name).sort()).toEqual(found)
  })

  test.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    '%s has the columns of the migrated table: names, order, types, null or not, key, default',
    (name, table) => {
      const { columns, primaryKeys } = getTableConfig(table)
      const found = db
        .prepare<[string], Column>(
          'SELECT name, type, "notnull", pk, dflt_value FROM pragma_table_info(?)',
        )
        .all(name)
      const together = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
      const known = columns.map((column) => {
        const place = together.indexOf(column.name) + 1
        const pk = column.primary ? 1 : place
        return {
          name: column.name,
          type: column.getSQLType().toUpperCase(),
          // INTEGER PRIMARY KEY is the row id: never null, although SQLite reports it as nullable.
          notnull: column.notNull && !column.primary ? 1 : 0,
          pk,
          dflt_value: defaultSql(column.default),
        }
      })
      const asKnown = found.map((column) => ({
        ...column,
        notnull:
          known.find((one) => one.name === column.name)?.pk === 1 && together.length === 0
            ? 0
            : column.notnull,
      }))
      expect(known).toEqual(asKnown)
    },
  )

  test('names each property like its column', () => {
    for (const table of tables) {
      const { name, columns } = getTableConfig(table)
      const properties = Object.keys(table).filter(
        (key) => key !== 'enableRLS' && !key.startsWith('_'),
      )
      expect([name, properties]).toEqual([name, columns.map((column) => column.name)])
    }
  })

  test('has a migration for each step, numbered in order', () => {
    for (const [index, { name, sql }] of migrations.entries()) {
      expect(name).toMatch(/^\d{4}-[a-z-]+$/)
      expect(Number(name.slice(0, 4))).toBe(index + 1)
      expect(sql).toBeString()
    }
  })
})

type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null }

function defaultSql(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? `'${value}'` : String(value)
}
