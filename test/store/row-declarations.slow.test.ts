// Prepares every hand-written statement on migrated files, and has the compiler compare the columns that
// SQLite reports with the row type that the source declares: `prepare<Parameters, Row>(sql)`.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { updateNames } from '#store/catalog/names-index.ts'
import { openReferenceCopy } from '#store/catalog/pictures/reference-copies.ts'
import * as catalogSchema from '#store/catalog/schema.ts'
import { rebuildNumberShapes, updateSearch } from '#store/catalog/search/search-index.ts'
import { openSnapshotWriter } from '#store/catalog/snapshot.ts'
import { openDatabase } from '#store/db.ts'
import { describeCatalog } from '#store/files/describe-catalog.ts'
import { separateClosedMonths } from '#store/files/history-files.ts'
import {
  inspectCatalog,
  inspectDatabase,
  inspectSettings,
  readSqliteVersion,
} from '#store/files/inspect-database.ts'
import { copyPictureIndex } from '#store/files/picture-index-files.ts'
import { succeedVersion } from '#store/fleet-catalog.ts'
import type { LedgerEngine } from '#store/ledger/engine/operation.ts'
import { openSqliteEngine } from '#store/ledger/engine/sqlite-engine.ts'
import { openAccessVersion } from '#store/ledger/keys.ts'
import { openLedgerStores } from '#store/ledger/ledger.ts'
import * as ledgerSchema from '#store/ledger/schema.ts'
import { openCatalogOn } from '#store/open-catalog.ts'
import { openCatalogWriter, openPictureIndex } from '#store/open-catalog-writer.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { prepareSnapshot } from '#store/replica-snapshot.ts'
import { openSearchReader } from '#store/search-reader.ts'

const ROOT = join(import.meta.dir, '../..')
const STORE = join(ROOT, 'src/store')

type Column = { name: string; table: string | null; column: string | null }
type Mode = 'rows' | 'pluck' | 'raw'

/** A statement that returns rows, and where the source prepares it. */
type Prepared = { path: string; offset: number; sql: string; mode: Mode; columns: Column[] }

/** A declared row type, with its offsets in the source. */
type Declaration = { offset: number; start: number; end: number }

let folder: string
let prepared: Prepared[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cardstock-statements-'))
  prepared = recordStatements(() => prepareAll(join(folder, 'data')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('hand-written statements', () => {
  test('are prepared by this test, all of them', () => {
    const declared = sourcePaths().flatMap((path) =>
      declarationsIn(sourceOf(path)).map(({ offset }) => placeOf(path, offset)),
    )
    const found = new Set(prepared.map(({ path, offset }) => placeOf(path, offset)))
    expect(declared.length).toBeGreaterThan(150)
    expect(declared.filter((place) => !found.has(place))).toEqual([])
  })

  test('are called where the source shows it: a `return db.prepare(…)` leaves no stack frame', () => {
    const isCall = ({ path, offset }: Prepared) =>
      /^(prepare|openOwnedRows)\b/.test(sourceOf(path).slice(offset, offset + 20))
    const untraced = prepared.filter((statement) => !isCall(statement))
    expect(untraced.map(({ path, offset }) => placeOf(path, offset))).toEqual([])
  })

  test('return the columns that their row types declare', () => {
    const errors = compile(join(folder, 'checked'))
    const inFaults = errors.filter((line) => line.includes('faults.ts'))
    expect(errors.filter((line) => !inFaults.includes(line))).toEqual([])
    // Each deliberate fault is reported on its own line, and nothing else.
    expect(inFaults.map((line) => Number(/\((\d+),/.exec(line)?.[1]))).toEqual(
      FAULTS.map((_, index) => index + 1),
    )
  })
})

const CARD = "import('#store/catalog/schema.ts').CardRow"
const RUN = "import('#store/catalog/schema.ts').SyncRunRow"

/** Declarations that do not match their statement. */
const FAULTS: readonly [declared: string, sql: string, mode: Mode][] = [
  [`Pick<${CARD}, 'id' | 'name'>`, 'SELECT id, name AS nmae FROM cards', 'rows'],
  [`Pick<${CARD}, 'id' | 'name'>`, 'SELECT id FROM cards', 'rows'],
  [`Pick<${CARD}, 'id'>`, 'SELECT id, name FROM cards', 'rows'],
  ['{ id: string }', 'SELECT id FROM cards', 'rows'],
  ['{ number: string }', 'SELECT number FROM cards', 'rows'],
  [`{ outcome: 'done' | null }`, 'SELECT outcome FROM sync_runs', 'rows'],
  ['number', 'SELECT name FROM cards', 'pluck'],
  ['[id: number]', 'SELECT id, name FROM cards', 'raw'],
  ['[name: string, id: number]', 'SELECT id, name FROM cards', 'raw'],
]

/** Matching declarations, which show that the faults are found for the right reason. */
const MATCHES: readonly [declared: string, sql: string, mode: Mode][] = [
  [`Pick<${CARD}, 'id' | 'name'>`, 'SELECT id, name FROM cards', 'rows'],
  ['{ number: string }', 'SELECT number FROM cards WHERE number IS NOT NULL', 'rows'],
  ['{ number: string | null; total: number }', 'SELECT number, 1 AS total FROM cards', 'rows'],
  [`Pick<${RUN}, 'outcome'>`, 'SELECT outcome FROM sync_runs', 'rows'],
  ['string', 'SELECT name FROM cards', 'pluck'],
  ['[id: number, name: string]', 'SELECT id, name FROM cards', 'raw'],
]

/** Opens every store, and calls what prepares its statements later. */
function prepareAll(dataDir: string): void {
  const now = () => new Date()
  prepareFiles(dataDir)
  // Checks the existing files.
  prepareFiles(dataDir)
  // Reading its members opens them.
  const catalog = { ...openCatalogOn(openDatabase(join(dataDir, 'catalog.db')), (url) => url) }
  catalog.historyMonths.list()
  const stores = [catalog, openLedgerOn(openDatabase(join(dataDir, 'ledger.db')))]
  prepareLedger(join(dataDir, 'ledger.db'))
  const writer = openCatalogWriter(dataDir)
  const publishedAt = now()
  writer.publish({ games: [], sets: [], completeGames: [], missingSets: [], publishedAt, now })
  writer.history.openImport()
  writer.history.recount(now)
  writer.sources.publish({ source: 'my-shop', game_id: 0, prices: [], publishedAt, now: now() })
  const searchReader = openSearchReader(dataDir)
  searchReader.read()
  // A publication without changed cards does not update these.
  const derived = openDatabase(join(dataDir, 'catalog.db'))
  derived.exec('INSERT INTO unindexed_cards VALUES (1)')
  updateSearch(derived)
  updateNames(derived, true)
  rebuildNumberShapes(derived)
  derived.exec("INSERT INTO history_cold VALUES (1025, x'')")
  separateClosedMonths(dataDir)
  copyPictureIndex(dataDir, join(dataDir, 'index.db'), { version: 0, references: [] })
  const copy = openDatabase(join(dataDir, 'index.db'))
  openReferenceCopy(copy)
  copy.close()
  const fetched = join(dataDir, 'fetched.db')
  derived.prepare('VACUUM INTO ?').run(fetched)
  derived.close()
  prepareSnapshot({ path: fetched, served: undefined, dataDir, isLedgerShared: false, now })
  describeCatalog(fetched)
  succeedVersion(fetched, { version: 5, activateAt: 0 }, now())
  inspectDatabase(join(dataDir, 'catalog.db'), 'catalog')
  inspectCatalog(join(dataDir, 'catalog.db'))
  inspectSettings(join(dataDir, 'ledger.db'))
  readSqliteVersion()
  for (const store of [
    ...stores,
    writer,
    searchReader,
    openPictureIndex(dataDir),
    openSnapshotWriter(join(dataDir, 'snapshot.db')),
  ]) {
    store?.close()
  }
}

/** Prepares every statement of the ledger, which its engine otherwise prepares on first use. */
function prepareLedger(path: string): void {
  const db = openDatabase(path)
  // The engine replaces the function by its argument.
  db.function('clock', (time) => time)
  const engine = openSqliteEngine(db)
  const eager: LedgerEngine = {
    ...engine,
    prepare(sql) {
      db.prepare(sql)
      return engine.prepare(sql)
    },
  }
  openLedgerStores(eager, openAccessVersion(db, engine))
  db.close()
}

/** Records the statements that return rows and that src/store prepares while `action` runs. */
function recordStatements(action: () => void): Prepared[] {
  const found: Prepared[] = []
  const prototype = Database.prototype as { prepare(sql: string): Database.Statement }
  const { prepare } = prototype
  prototype.prepare = function (this: Database.Database, sql) {
    const statement = prepare.call(this, sql)
    const site = callSite(new Error().stack ?? '')
    if (site === undefined || !statement.reader) return statement
    const record: Prepared = { ...site, sql, mode: 'rows', columns: statement.columns() }
    found.push(record)
    for (const mode of ['pluck', 'raw'] as const) {
      const change = statement[mode]
      statement[mode] = (...toggle) => {
        record.mode = mode
        return change.apply(statement, toggle)
      }
    }
    return statement
  }
  try {
    action()
  } finally {
    prototype.prepare = prepare
  }
  return found
}

/**
 * Returns the caller of `prepare`, or of a helper that prepares a statement for its caller's row type; undefined
 * outside src/store, such as for calls of Drizzle.
 */
function callSite(stack: string): { path: string; offset: number } | undefined {
  const frames = stack.split('\n').filter((line) => line.trimStart().startsWith('at '))
  // This file prepares the statements that a store requests from the ledger's engine.
  const sites = frames.filter((line) => !line.includes(import.meta.path)).map(siteOf)
  const [first] = sites
  if (first === undefined || !isGeneric(first)) return first
  return sites.find((site) => site?.path !== first.path)
}

function siteOf(frame: string): { path: string; offset: number } | undefined {
  const [, file = '', line, column] = /([^\s()]+):(\d+):(\d+)\)?$/.exec(frame) ?? []
  if (!file.startsWith(`${STORE}/`)) return undefined
  const path = relative(STORE, file)
  const before = sourceOf(path)
    .split('\n')
    .slice(0, Number(line) - 1)
  const offset = before.reduce((sum, { length }) => sum + length + 1, Number(column) - 1)
  return { path, offset }
}

/** Returns true if a statement's row type is that of its function's caller. */
function isGeneric({ path, offset }: { path: string; offset: number }): boolean {
  const text = sourceOf(path)
  return findDeclarations(text).some((one) => one.offset === offset && isTypeParameter(text, one))
}

function isTypeParameter(text: string, { start, end }: Declaration): boolean {
  return text.slice(start, end).trim() === 'Selected'
}

/** Finds the row types declared for statements in a source text, except those of a helper's callers. */
function declarationsIn(text: string): Declaration[] {
  return findDeclarations(text).filter((one) => !isTypeParameter(text, one))
}

/** Finds the row types of `prepare<Parameters, Row>` and of `openOwnedRows<Row, …>`. */
function findDeclarations(text: string): Declaration[] {
  return [...text.matchAll(/(?<=\.)prepare<|(?<=[ (])openOwnedRows<(?!\n)/g)].flatMap((call) => {
    const isHelper = call[0] !== 'prepare<'
    let depth = 0
    let at = call.index + call[0].length - 1
    const commas: number[] = []
    do {
      const next = text[at] ?? ''
      if ('<([{'.includes(next)) depth++
      if (')]}'.includes(next) || (next === '>' && text[at - 1] !== '=')) depth--
      if (next === ',' && depth === 1) commas.push(at)
      at++
    } while (depth > 0 && at < text.length)
    const [comma] = commas
    if (isHelper) {
      return [{ offset: call.index, start: call.index + call[0].length, end: comma ?? at - 1 }]
    }
    return comma === undefined ? [] : [{ offset: call.index, start: comma + 1, end: at - 1 }]
  })
}

/** Copies the source with each row type wrapped in a check, and returns the compiler's errors. */
function compile(root: string): string[] {
  mkdirSync(join(root, 'src'), { recursive: true })
  for (const name of readdirSync(join(ROOT, 'src'))) {
    if (name !== 'store') symlinkSync(join(ROOT, 'src', name), join(root, 'src', name))
  }
  cpSync(STORE, join(root, 'src/store'), { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(root, 'package.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  for (const path of sourcePaths())
    writeFileSync(join(root, 'src/store', path), checkedSource(path))
  writeFileSync(join(root, 'src/store/statement-check.ts'), CHECK)
  const catalog = openDatabase(join(folder, 'data/catalog.db'), { readonly: true })
  for (const [name, cases] of Object.entries({ faults: FAULTS, matches: MATCHES })) {
    const lines = cases.map(([declared, sql, mode], index) => {
      const columns = catalog.prepare(sql).columns()
      return `export type Case${index} = ${checked(declared, [{ sql, mode, columns }])}\n`
    })
    writeFileSync(join(root, `src/store/${name}.ts`), lines.join(''))
  }
  catalog.close()
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules')] },
    include: ['src/store'],
  }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = Bun.spawnSync([process.execPath, compiler, '-p', root], { cwd: root })
  return stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes('error TS'))
}

function checkedSource(path: string): string {
  const text = sourceOf(path)
  return declarationsIn(text).reduceRight((source, { offset, start, end }) => {
    const statements = prepared.filter((one) => one.path === path && one.offset === offset)
    return source.slice(0, start) + checked(text.slice(start, end), statements) + source.slice(end)
  }, text)
}

/** The declared type, which compiles only if it fits every statement. */
function checked(declared: string, found: readonly Omit<Prepared, 'path' | 'offset'>[]): string {
  const fits = found.map(({ sql, mode, columns }) => {
    const types = columns.map((column) => typeOf(column, sql))
    if (mode === 'pluck') return `Check.Fault<${declared}, ${types[0]}>`
    if (mode === 'raw') return `Check.TupleFault<${declared}, [${types.join(', ')}]>`
    const members = columns.map(({ name }, at) => `${JSON.stringify(name)}: ${types[at]}`)
    return `Check.RowFault<${declared}, { ${members.join('; ')} }>`
  })
  const text = ` Check.Checked<${declared}, ${[...new Set(fits)].join(' | ')}>`
  return text.replaceAll('Check.', "import('#store/statement-check.ts').")
}

/** Returns the type of a column in the schema; unknown if it is computed. */
function typeOf({ table, column }: Column, sql: string): string {
  const row = rowTypes.get(table ?? '')
  if (row === undefined || column === null || column === 'rowid') return 'unknown'
  const type = `${row}[${JSON.stringify(column)}]`
  const isFiltered = new RegExp(`\\b${column} IS NOT NULL\\b`).test(sql)
  return isFiltered ? `NonNullable<${type}>` : type
}

/** Row types by table name, as an expression. */
const rowTypes = new Map(
  Object.entries({ catalog: catalogSchema, ledger: ledgerSchema }).flatMap(([file, schema]) =>
    Object.entries(schema).map(([name, table]) => {
      const constant = `typeof import('#store/${file}/schema.ts').${name}`
      return [getTableConfig(table).name, `Check.Stored<${constant}.$inferSelect>`] as const
    }),
  ),
)

const CHECK = `
/** A row as the driver returns it: SQLite has no booleans. */
export type Stored<Row> = { [Key in keyof Row]: [Row[Key]] extends [boolean] ? 0 | 1 : Row[Key] }

/** The declared type; an error if it has a fault. */
export type Checked<Declared, Fault extends never> = [Fault] extends [never] ? Declared : never

/** A column may be declared nullable although it is not, because joins and aggregates make it nullable. */
export type Fault<Declared, Actual> = unknown extends Actual
  ? never
  : [Actual] extends [Declared | null]
    ? null extends Actual ? (null extends Declared ? never : { nullable: Actual }) : never
    : { column: Actual; declared: Declared }

export type RowFault<Declared, Actual> = {
  [Key in keyof Declared | keyof Actual]: Key extends keyof Declared
    ? Key extends keyof Actual ? Fault<Declared[Key], Actual[Key]> : { missing: Key }
    : { undeclared: Key }
}[keyof Declared | keyof Actual]

export type TupleFault<Declared, Actual extends readonly unknown[]> = Declared extends readonly unknown[]
  ? number extends Declared['length']
    ? Fault<Declared[number], Actual[number]>
    : Declared['length'] extends Actual['length']
      ? RowFault<{ [At in Indices<Declared>]: Declared[At] }, { [At in Indices<Actual>]: Actual[At] }>
      : { lengths: [Declared['length'], Actual['length']] }
  : { declared: Declared }

type Indices<Tuple> = Extract<keyof Tuple, \`\${number}\`>
`

function sourcePaths(): string[] {
  const paths = readdirSync(STORE, { recursive: true, encoding: 'utf8' })
  const isSource = (path: string) => path.endsWith('.ts') && !path.endsWith('.d.ts')
  // SQLite cannot prepare statements for PostgreSQL.
  return paths.filter((path) => isSource(path) && !path.includes('postgres-')).sort()
}

function sourceOf(path: string): string {
  return readFileSync(join(STORE, path), 'utf8')
}

function placeOf(path: string, offset: number): string {
  return `${path}:${sourceOf(path).slice(0, offset).split('\n').length}`
}
