import { readdirSync } from 'node:fs'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'

/** Lists the names in a folder; empty if the folder does not exist. */
export function listFolder(dir: string): string[] {
  return readIfExists(() => readdirSync(dir), 'ENOENT', 'ENOTDIR') ?? []
}

/** Returns undefined if reading fails with one of these codes of missing files. */
export function readIfExists<T>(read: () => T, ...codes: string[]): T | undefined {
  try {
    return read()
  } catch (error) {
    if (hasErrorCode(error, ...codes)) return undefined
    throw error
  }
}
