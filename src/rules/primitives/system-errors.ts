import { ServiceError } from './errors.ts'

/** Returns the code of a system or library error, such as ENOENT; empty without one. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Returns the message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns true if the error has one of these codes. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error))
}

/**
 * Returns the line that an operator reads when a program fails. A stack would not help an operator, so a bug appears
 * as its message and the setting that prints the stack.
 *
 * @param withStack appends the stack of a bug
 */
export function failureText(error: unknown, withStack: boolean): string {
  if (error instanceof ServiceError) return error.message
  const fault = describeStorageFault(error)
  if (fault !== undefined) return fault
  if (withStack && error instanceof Error) return error.stack ?? error.message
  return `Internal error: ${firstLine(error)}. Set LOG_LEVEL=debug, try again, and report the output.`
}

/**
 * Reason why a file or a database cannot be used. `busy` ends by itself, `full` and `unreachable` need the operator,
 * and a `damaged` file needs a backup.
 */
export type StorageFault =
  | 'busy'
  | 'damaged'
  | 'denied'
  | 'exhausted'
  | 'full'
  | 'misplaced'
  | 'readonly'
  | 'unreachable'

/** Codes of the system and of SQLite; extended codes of SQLite begin with these. */
const FAULTS: Record<StorageFault, RegExp> = {
  busy: /^(SQLITE_(BUSY|LOCKED).*|EBUSY|EAGAIN)$/,
  damaged: /^SQLITE_(CORRUPT.*|NOTADB|FORMAT)$/,
  denied: /^(SQLITE_(PERM|AUTH)|EACCES|EPERM)$/,
  exhausted: /^(SQLITE_NOMEM|ENOMEM|EMFILE|ENFILE)$/,
  full: /^(SQLITE_(FULL|IOERR_SHMSIZE)|ENOSPC|EDQUOT|EFBIG)$/,
  misplaced: /^(EISDIR|ENOTDIR|ELOOP|ENAMETOOLONG|EEXIST)$/,
  readonly: /^(SQLITE_READONLY.*|EROFS)$/,
  unreachable: /^(SQLITE_(IOERR|CANTOPEN|PROTOCOL|NOLFS).*|EIO|ESTALE|ENXIO|ENODEV)$/,
}

/** Returns the fault of a file in an error; undefined for every other error. */
export function storageFault(error: unknown): StorageFault | undefined {
  const code = errorCode(error)
  if (code === '') return undefined
  const faults = Object.keys(FAULTS) as StorageFault[]
  return faults.find((fault) => FAULTS[fault].test(code))
}

/** Returns true if nothing can be written, while reading may still work. */
export function isWriteFault(error: unknown): boolean {
  const fault = storageFault(error)
  return fault === 'full' || fault === 'readonly' || fault === 'unreachable'
}

const EXPLANATIONS: Record<StorageFault, string> = {
  busy: 'is in use by another program. Try again when that program has ended',
  damaged:
    'is damaged or is not a file of Cardstock. Stop the server and restore a backup with "bun run restore"',
  denied:
    'cannot be opened: permission denied. Give the data folder to the user that runs Cardstock, with chown',
  exhausted:
    'cannot be opened: memory or open files are exhausted. Raise the limits of the process, then try again',
  full: 'cannot be written: the disk is full. Free some space, then try again',
  misplaced:
    'cannot be opened: a folder, a file or a looping link is in its place. Move that away, then try again',
  readonly:
    'cannot be written: it is read-only. Mount its disk for writing, or make it writable for the user that runs Cardstock',
  unreachable: 'cannot be read or written. Check its disk and its folder, then try again',
}

/**
 * Explains a fault of a file in one line: problem, code and remedy.
 *
 * @param place path of the file; system errors name it themselves
 * @returns undefined unless the error is a fault of a file
 */
export function describeStorageFault(error: unknown, place?: string): string | undefined {
  const fault = storageFault(error)
  if (fault === undefined) return undefined
  const code = errorCode(error)
  // SQLite does not name the file.
  const unknown = code.startsWith('SQLITE_') ? UNNAMED_DATABASE : 'A file'
  return `${place ?? pathOf(error) ?? unknown} ${EXPLANATIONS[fault]} (${code}).`
}

const UNNAMED_DATABASE = 'A database in the data folder ("bun run doctor" finds it)'

function pathOf(error: unknown): string | undefined {
  const path = error instanceof Error && 'path' in error ? error.path : undefined
  return typeof path === 'string' && path !== '' ? path : undefined
}

/** Returns the first line of a message, which contains neither source code nor a stack. */
export function firstLine(error: unknown): string {
  return errorMessage(error).trim().split('\n')[0] ?? ''
}
