import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../scripts/cli/parse.ts'
import { commitOfTree } from '../measure.ts'

/** A source tree to measure. */
export type Tree = { folder: string; commit: string }

const ROOT = join(import.meta.dir, '../..')
// Outside the repository, whose tools would read them, too.
const CHECKED_OUT = join(tmpdir(), 'cardstock-trees')

/** Returns the tree that the guard runs in. */
export function currentTree(): Tree {
  return { folder: ROOT, commit: commitOfTree().commit }
}

/**
 * Returns the tree of another commit, with its packages. It is kept for the next time.
 *
 * @throws UsageError if the repository does not have the commit
 */
export function checkOut(revision: string): Tree {
  const commit = resolveCommit(revision)
  const folder = join(CHECKED_OUT, commit)
  if (!existsSync(folder)) {
    const draft = `${folder}.draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    run(['sh', '-c', `git archive ${commit} | tar -x -C "$0"`, draft], ROOT)
    run(['bun', 'install', '--frozen-lockfile', '--ignore-scripts'], draft)
    renameSync(draft, folder)
  }
  return { folder, commit }
}

function resolveCommit(revision: string): string {
  try {
    return git('rev-parse', '--verify', '--short=8', '--end-of-options', `${revision}^{commit}`)
  } catch {
    throw new UsageError(
      `This repository has no commit "${revision}". Fetch its history, or name another one.`,
    )
  }
}

/** Returns a hash of the files that decide what `bun run seed` writes. */
export function generatorOf({ folder }: Tree): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const part of GENERATOR) {
    const top = join(folder, part)
    const files = readdirSync(top, { recursive: true, encoding: 'utf8' })
    for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
      hash.update(file).update(readFileSync(join(top, file)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}

/** The generator publishes like a sync, so everything that stores, and its rules, belong to it. */
const GENERATOR = ['scripts/tools/seed', 'src/store', 'src/rules']

function git(...args: string[]): string {
  return run(['git', ...args], ROOT).trim()
}

/** Runs a program and returns its output. @throws Error with what it wrote to stderr, if it fails */
export function run(command: string[], cwd: string, env: Record<string, string> = {}): string {
  const environment = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env }
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, env: environment })
  if (exitCode !== 0) throw new Error(`${command.join(' ')} failed:\n${stderr}`)
  return stdout.toString()
}
