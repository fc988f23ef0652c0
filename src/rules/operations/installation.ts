/** File that belongs to an installation; the folder's id represents its secret. */
export type InstallationFile = 'catalog.db' | 'ledger.db' | 'app-secret'

/** Facts about a database that determine to which installation it belongs. */
export type DatabaseState = {
  /** True if it is missing or has no tables. */
  isEmpty: boolean
  /** Null before the first start with this version. */
  id: string | null
  /** True for the ledger of several servers: a database outside their folders. */
  isShared?: boolean
}

export type InstallationState = {
  catalog: DatabaseState & { isPublished: boolean }
  ledger: DatabaseState
  /** Id beside the secret; undefined before the first start, and after a restore. */
  folderId: string | undefined
}

/** `lost`: missing or empty, although the others exist. `foreign`: its id differs from that of the others. */
export type InstallationFault = { file: InstallationFile; fault: 'lost' | 'foreign' }

/**
 * Returns the first file that does not belong to the others. A start assigns the id to the ledger, the catalog and
 * the folder in this order, and may be killed in between. Any other difference is a fault.
 */
export function findInstallationFault(state: InstallationState): InstallationFault | undefined {
  const { catalog, ledger, folderId } = state
  const isUsed = folderId !== undefined || catalog.id !== null || catalog.isPublished
  if (ledger.isEmpty && isUsed) return { file: 'ledger.db', fault: 'lost' }
  if (ledger.isEmpty) return undefined
  // The folder of a new server in the group is empty.
  if (ledger.isShared && catalog.isEmpty && folderId === undefined) return undefined
  if (catalog.isEmpty && (folderId !== undefined || ledger.id !== null)) {
    return { file: 'catalog.db', fault: 'lost' }
  }
  if (folderId === undefined) {
    const isStarted = catalog.id === null || catalog.id === ledger.id
    return isStarted ? undefined : { file: 'ledger.db', fault: 'foreign' }
  }
  if (catalog.id === folderId && ledger.id === folderId) return undefined
  if (catalog.id === ledger.id) return { file: 'app-secret', fault: 'foreign' }
  return { file: ledger.id === folderId ? 'catalog.db' : 'ledger.db', fault: 'foreign' }
}

/** Contents that would be lost if a file were replaced by an empty one. */
const CONTENTS: Record<InstallationFile, string> = {
  'catalog.db': 'cards and the price history',
  'ledger.db': 'accounts, keys and payments',
  'app-secret': 'the key of all webhook secrets',
}

/**
 * Explains a fault to the operator, with the possible remedies.
 *
 * @param isShared true if the ledger is a database of several servers instead of a file in the folder
 */
export function describeInstallationFault(
  folder: string,
  { file, fault }: InstallationFault,
  isShared = false,
): string {
  const [problem, acceptance] =
    fault === 'lost'
      ? ['is missing or empty, but the folder is in use', 'begin with an empty one']
      : ['belongs to another installation than the other files', 'keep it']
  const adoption = `run "bun run admin adopt ${file}" to ${acceptance}.`
  if (isShared && file === 'ledger.db') {
    return (
      `The database of LEDGER_URL ${problem} of ${folder}: it has ${CONTENTS[file]}. Set the right ` +
      `LEDGER_URL, move the ledger of the folder (bun run admin move-ledger), or ${adoption}`
    )
  }
  return (
    `${folder}/${file} ${problem}: it has ${CONTENTS[file]}. Put the right file back or restore a backup ` +
    `(bun run restore), or ${adoption}`
  )
}
