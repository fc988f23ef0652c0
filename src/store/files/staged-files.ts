import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownFile } from '../catalog/sync-log.ts'

/** Files that an import has fetched but not published yet, so that it can resume after an interruption. */
export type StagedFiles = {
  /** Returns the path of a file, staged or not. */
  pathOf(name: string): string
  /** Returns the validators of a staged file; undefined if it is not staged. */
  get(name: string): KnownFile | undefined
  /** Stages a complete file. */
  accept(name: string, path: string, validator: KnownFile): void
  /** Deletes files. */
  delete(names: readonly string[]): void
}

/** Opens the staging folder of a source. */
export function openStagedFiles(dataDir: string, source: string): StagedFiles {
  const folder = join(dataDir, `staging-${source}`)
  mkdirSync(folder, { recursive: true })
  const pathOf = (name: string) => join(folder, name.replaceAll('/', '-'))
  const markOf = (name: string) => `${pathOf(name)}.validator`

  return {
    pathOf,
    get(name) {
      try {
        return JSON.parse(readFileSync(markOf(name), 'utf8'))
      } catch {
        // Without a completion mark, the file may be incomplete.
        return undefined
      }
    },
    accept(name, path, validator) {
      rmSync(markOf(name), { force: true })
      renameSync(path, pathOf(name))
      writeFileSync(markOf(name), JSON.stringify(validator))
    },
    delete(names) {
      for (const name of names)
        for (const path of [markOf(name), pathOf(name)]) rmSync(path, { force: true })
    },
  }
}
