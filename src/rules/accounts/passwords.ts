/** Fewest characters of a password (specification, Limits 5). */
export const PASSWORD_CHARACTERS_MIN = 8

/** Most bytes: more would only cost time to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/** What is wrong with a password, for whoever chose it; undefined when nothing is. */
export function findPasswordProblem(password: string): string | undefined {
  if ([...password].length < PASSWORD_CHARACTERS_MIN) {
    return `must be at least ${PASSWORD_CHARACTERS_MIN} characters long`
  }
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) {
    return `must be at most ${PASSWORD_BYTES_MAX} bytes long`
  }
  // Half a character is replaced when text becomes bytes: two such passwords would be the same one.
  return password.isWellFormed() ? undefined : 'holds half of a character'
}
