// The files of a release: an archive for each system, the client's package, and their checksums.
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { TARGETS } from '../cli/tree-commands.ts'
import { packClient } from '../tools/client/pack-client.ts'
import { compileExecutable, type Target } from './compile-executable.ts'

/** A file of the release, and the function that creates it. */
type ReleaseFile = { name: string; make: (folder: string) => Promise<string> | string }

/** All files of a release, except for the checksums. */
export const RELEASE_FILES: readonly ReleaseFile[] = [
  ...TARGETS.map((target) => ({
    name: `executable ${target}`,
    make: (folder: string) => archiveExecutable(folder, target),
  })),
  { name: 'client', make: packClient },
]

/** Writes the SHA-256 of each file to SHA256SUMS, for `sha256sum --check`. */
export function writeChecksums(folder: string, paths: readonly string[]): string {
  const lines = paths.map((path) => {
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
    return `${hash}  ${basename(path)}\n`
  })
  const path = join(folder, 'SHA256SUMS')
  writeFileSync(path, lines.join(''))
  return path
}

/** Compiles the executable, and packs it with the license into an archive, which preserves its permissions. */
async function archiveExecutable(folder: string, target: Target): Promise<string> {
  const name = `${packageJson.name}-${packageJson.version}-${target}`
  const work = mkdtempSync(join(tmpdir(), 'cardstock-release-'))
  try {
    mkdirSync(join(work, name))
    await compileExecutable(join(work, name, 'cardstock'), target)
    copyFileSync(resolve(import.meta.dir, '../../LICENSE'), join(work, name, 'LICENSE'))
    const archive = join(folder, `${name}.tar.gz`)
    const { exitCode, stderr } = Bun.spawnSync(['tar', '-czf', archive, '-C', work, name])
    if (exitCode !== 0) throw new Error(`tar failed: ${stderr.toString().trim()}`)
    return archive
  } finally {
    rmSync(work, { recursive: true })
  }
}
