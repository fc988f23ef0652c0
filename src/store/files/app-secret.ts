import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { hasErrorCode } from '#rules/primitives/system-errors.ts'
import { SECRET_FILE } from './data-folder.ts'
import { explainFaults, readIfExists } from './folder-entries.ts'

/** Returns a folder's own secret, readable by its owner only; all its processes get the same one. */
export function loadAppSecret(dataDir: string): string {
  const path = join(dataDir, SECRET_FILE)
  return explainFaults(path, () => readSecret(path) ?? makeSecret(path))
}

/** @throws ServiceError if the file is too short, because the encryption key could be guessed */
function readSecret(path: string): string | undefined {
  const secret = readIfExists(() => readFileSync(path, 'utf8').trim(), 'ENOENT')
  if (secret === undefined || secret.length >= APP_SECRET_LENGTH_MIN) return secret
  throw new ServiceError(
    'UNAVAILABLE',
    `${path} does not contain a valid secret. Restore it from a backup, or delete it if there are no webhooks.`,
  )
}

function makeSecret(path: string): string {
  const draft = `${path}-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(SECRET_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flush: true,
    })
    // Unlike a rename, a link never replaces a file that another process has just created.
    linkSync(draft, path)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

const SECRET_BYTES = 32
