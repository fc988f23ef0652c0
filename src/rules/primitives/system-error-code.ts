/** Returns the code of an error of the system or a library, such as ENOENT; empty without one. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns true if the error has one of these codes. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error))
}
