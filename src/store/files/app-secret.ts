import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { hasErrorCode } from '#rules/primitives/system-error-code.ts'
import { SECRET_FILE } from './data-folder.ts'

/**
 * The secret of this data folder, for operators who set none: made once, and readable by its owner
 * alone. Of several processes that start at once, all get the same one.
 */
export function loadAppSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE)
  return readSecret(path) ?? makeSecret(path)
}

/** @throws Error where there is none in it: anybody would know what it encrypts with */
function readSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length >= APP_SECRET_LENGTH_MIN) return secret
    throw new Error(
      `${path} holds no secret: restore it from a backup. Where nobody has a watch, delete it.`,
    )
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function makeSecret(path: string): string {
  const draft = `${path}-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    })
    // Unlike a rename it never takes the place of one that somebody else has just made.
    linkSync(draft, path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

const SECRET_BYTES = 32
