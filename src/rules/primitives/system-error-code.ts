/** The code of what the system or a library threw, such as ENOENT; empty for what has none. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error && 'code' in error)) return ''
  return typeof error.code === 'string' ? error.code : ''
}

/** Whether it has one of these codes. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(errorCode(error))
}
