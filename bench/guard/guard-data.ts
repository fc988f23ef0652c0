import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { startPhotoServer, whenAtRest } from '../servers.ts'
import { generatorOf, run, type Tree } from './trees.ts'

/** Data of a tree. Copies of them are used, so that each run begins with the same files and quotas. */
export type GuardData = {
  /** Folder with `catalog` and `sample`, two data folders. */
  folder: string
  /** Last day of the catalog, as days since 1 January 1970. */
  lastDay: number
  /** Keys of accounts of the highest tier. */
  keys: readonly string[]
  /** A key for the sample. */
  sampleKey: string
}

const CACHE = join(import.meta.dir, '../run/guard')

/**
 * Returns the data of a tree, generated unless its generator has already run today: a sync of today requires that the
 * catalog ends yesterday.
 */
export async function prepareGuardData(tree: Tree): Promise<GuardData> {
  const lastDay = dayOf(new Date()) - 1
  const folder = join(CACHE, `${generatorOf(tree)}-${formatDate(lastDay)}`)
  if (!existsSync(folder)) {
    forgetOthers(lastDay)
    const draft = `${folder}.draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    await generate(tree, draft, lastDay)
    renameSync(draft, folder)
  }
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return { folder, lastDay, keys: read('keys.json'), sampleKey: read('sample-keys.json')[0] }
}

/** Copies one of the two data folders to a new folder. */
export function copyData({ folder }: GuardData, name: 'catalog' | 'sample', to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(join(folder, name), to, { recursive: true })
}

async function generate(tree: Tree, folder: string, lastDay: number): Promise<void> {
  process.stderr.write(`Generating ${CARDS} cards and ${DAYS} days with ${tree.commit} …\n`)
  const catalog = join(folder, 'catalog')
  const size = ['--cards', String(CARDS), '--days', String(DAYS), '--until', formatDate(lastDay)]
  run(['bun', 'scripts/seed.ts', ...size], tree.folder, { DATA_DIR: catalog })
  createKeys(tree, catalog, ACCOUNTS, join(folder, 'keys.json'))
  const sample = join(folder, 'sample')
  mkdirSync(sample)
  // The first start loads the sample and reads its pictures.
  const server = await startPhotoServer(sample, tree.folder)
  await whenAtRest(server)
  await server.close()
  createKeys(tree, sample, 1, join(folder, 'sample-keys.json'))
  // All pages of a server lead to its setup until it is finished. Old trees have none.
  if (existsSync(join(tree.folder, FINISH_SETUP))) {
    const script = `import { finishSetup } from './${FINISH_SETUP}'; await finishSetup(process.env.DATA_DIR)`
    run(['bun', '-e', script], tree.folder, { DATA_DIR: sample })
  }
}

const FINISH_SETUP = 'test/support/finish-setup.ts'

/** Creates accounts with a key and scans through the functions of the tree, and writes the keys to a file. */
function createKeys(tree: Tree, dataDir: string, count: number, file: string): void {
  const script = `
    import { newKey } from './bench/data.ts'
    const keys = []
    for (let n = 0; n < ${count}; n++) keys.push(await newKey(process.env.DATA_DIR, 'business', ${SCANS}))
    console.log(JSON.stringify(keys))`
  writeFileSync(file, run(['bun', '-e', script], tree.folder, { DATA_DIR: dataDir }))
}

/** Deletes the data of other days. */
function forgetOthers(lastDay: number): void {
  mkdirSync(CACHE, { recursive: true })
  for (const name of readdirSync(CACHE)) {
    if (!name.endsWith(formatDate(lastDay))) rmSync(join(CACHE, name), { recursive: true })
  }
}

const CARDS = 100_000
const DAYS = 60
/** Enough for all requests of a run, of which those for many cards count as many. */
const ACCOUNTS = 400
const SCANS = 1_000
