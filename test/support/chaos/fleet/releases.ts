// Other releases of this program, in folders of their own: an earlier one, and one that does not exist yet.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../service-process.ts'

/**
 * The first state in which servers form a fleet, and take turns in any order of upgrades. No release with a
 * version number knows fleets yet; replace it with the tag of one that does.
 */
const PREVIOUS = 'a99c5cdb88fc771708d5cfe8e14a72457777d948'

export const HAS_PREVIOUS = git('cat-file', '-e', `${PREVIOUS}^{commit}`).exitCode === 0
if (!HAS_PREVIOUS)
  console.warn(`No commit ${PREVIOUS} in this clone: the upgrade from it is skipped.`)

/** Unpacks the previous release into an empty folder. It uses the packages that are installed here. */
export function unpackPrevious(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const archive = git('archive', PREVIOUS, 'src', 'data', 'package.json', 'tsconfig.json')
  const tar = Bun.spawnSync(['tar', '-x', '-C', folder], { stdin: archive.stdout })
  if (tar.exitCode !== 0) throw new Error(`the previous release was not unpacked: ${tar.stderr}`)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
}

/** Copies this release into a folder, with one more column in the catalog's schema. */
export function createNext(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(ROOT)) {
    if (COPIED.includes(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    else symlinkSync(join(ROOT, name), join(folder, name))
  }
  const file = join(folder, 'src/store/catalog/migrations.ts')
  const source = readFileSync(file, 'utf8')
  const end = source.lastIndexOf(']')
  writeFileSync(file, `${source.slice(0, end)}  ${NEXT_STEP}\n${source.slice(end)}`)
}

const COPIED = ['src', 'package.json', 'tsconfig.json']

const NEXT_STEP =
  "{ name: '9999-next', sql: 'ALTER TABLE cards ADD COLUMN of_the_next_release TEXT;' },"

function git(...command: string[]) {
  return Bun.spawnSync(['git', '-C', ROOT, ...command], { stderr: 'ignore' })
}
