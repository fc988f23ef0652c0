import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { DeletedAccount } from '../ledger/personal/account-deletions.ts'
import { writeDurably } from './durable-files.ts'
import { readIfExists } from './folder-entries.ts'

// Deleted accounts, in a file beside the ledger and beside its backups. Backups do not contain the list, so restoring
// an older backup keeps it, and the next start deletes the accounts again. It contains only numbers and times.

/** Name of the list in the data folder and in a folder of backups. */
const DELETIONS_FILE = 'deleted-accounts.json'

/** Deleted accounts, as listed in a server's folders. */
export type DeletionList = {
  /** Adds an account durably to the list of each folder, unless it is already there. */
  add(account: DeletedAccount): void
  /** Lists the accounts of the data folder. */
  list(): DeletedAccount[]
}

/** @param backupDir folder of the scheduled backups, which may outlive the data folder */
export function openDeletionList(dataDir: string, backupDir: string | undefined): DeletionList {
  return {
    add(account) {
      addDeletions(dataDir, [account])
      if (backupDir !== undefined && existsSync(backupDir)) addDeletions(backupDir, [account])
    },
    list: () => readDeletions(dataDir),
  }
}

/** Copies the deletions in the list of one folder to the list of another. */
export function copyDeletions(from: string, to: string): void {
  addDeletions(to, readDeletions(from))
}

function addDeletions(dir: string, accounts: readonly DeletedAccount[]): void {
  const known = readDeletions(dir)
  const added = accounts.filter((account) => !known.some((other) => isSame(account, other)))
  if (added.length === 0) return
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  writeDurably(join(dir, DELETIONS_FILE), `${JSON.stringify([...known, ...added], null, 1)}\n`)
}

function isSame(one: DeletedAccount, other: DeletedAccount): boolean {
  return one.id === other.id && one.created_at === other.created_at
}

/** @throws ServiceError UNAVAILABLE if the list is damaged, because deleted accounts must not come back unnoticed */
function readDeletions(dir: string): DeletedAccount[] {
  const path = join(dir, DELETIONS_FILE)
  const text = readIfExists(() => readFileSync(path, 'utf8'), 'ENOENT')
  if (text === undefined) return []
  const found = parseList(text)
  if (found !== undefined) return found
  throw new ServiceError(
    'UNAVAILABLE',
    `${path} is damaged. Replace it with the copy beside the backups or in the data folder. If there is no copy, delete it.`,
  )
}

function parseList(text: string): DeletedAccount[] | undefined {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) && found.every(isDeletedAccount) ? found : undefined
  } catch {
    return undefined
  }
}

function isDeletedAccount(value: unknown): value is DeletedAccount {
  if (typeof value !== 'object' || value === null) return false
  return ['id', 'created_at'].every((name) => Number.isSafeInteger(Reflect.get(value, name)))
}
