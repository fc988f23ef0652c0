// A simulated next release of this program: a copy of the tree with an invented migration of each schema.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../process.ts'

/** Column of `cards` that only the next release has. */
export const NEXT_COLUMN = 'of_the_next_release'

/**
 * Copies this release into a folder, with another column in the catalog, and in the ledger one that other releases
 * ignore.
 */
export function createNext(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(ROOT)) {
    if (COPIED.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    else symlinkSync(join(ROOT, name), join(folder, name))
  }
  addStep(join(folder, 'src/store/catalog/migrations.ts'), '{ name:', 'cards')
  addStep(join(folder, 'src/store/ledger/postgres-migrations.ts'), 'additions: [', 'keys')
}

const COPIED = ['src', 'package.json', 'tsconfig.json']

/** Appends a migration to the list in a file that contains a text. */
function addStep(file: string, list: string, table: string): void {
  const source = readFileSync(file, 'utf8')
  const end = source.indexOf(']', source.indexOf(list))
  const isEmpty = source[end - 1] === '['
  if (end < 0) throw new Error(`${file} has no list of steps after "${list}"`)
  const step = `{ name: '9999-next', sql: 'ALTER TABLE ${table} ADD COLUMN ${NEXT_COLUMN} TEXT' }`
  writeFileSync(file, `${source.slice(0, end)}${isEmpty ? '' : ', '}${step}${source.slice(end)}`)
}
