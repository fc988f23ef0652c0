import { readdirSync } from 'node:fs'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'

/** Lists the names in a folder; empty if the folder does not exist. */
export function listFolder(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return []
    throw error
  }
}
