/** Minimum length of a password, in characters (specification, Limits 5). */
export const PASSWORD_CHARACTERS_MIN = 8

/** Maximum length of a password, in bytes: longer ones would only take longer to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/** Returns the problem with a password, for a sentence about it; undefined if it is valid. */
export function findPasswordProblem(password: string): string | undefined {
  if ([...password].length < PASSWORD_CHARACTERS_MIN) {
    return `must be at least ${PASSWORD_CHARACTERS_MIN} characters long`
  }
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) {
    return `must be at most ${PASSWORD_BYTES_MAX} bytes long`
  }
  // A lone surrogate is replaced when text is encoded, so two such passwords would be equal.
  return password.isWellFormed() ? undefined : 'contains an invalid character'
}
