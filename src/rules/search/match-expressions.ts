// Builds full-text expressions of SQLite's FTS5. Every word is quoted, so no text acts as an operator.

/** Tags that a card must have (one of each list), and tags that it must not have. */
export type TagFilter = { with: readonly (readonly string[])[]; without: readonly string[] }

/** Returns the expression of a word that documents contain. */
export function token(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/** Returns the expression of all words that begin with a text. */
export function prefix(text: string): string {
  return `${token(text)} *`
}

/** @param matches at least one */
export function allOf(matches: readonly string[]): string {
  return joined(matches, ' AND ')
}

/** @param matches at least one */
export function anyOf(matches: readonly string[]): string {
  return joined(matches, ' OR ')
}

/** Returns an expression without the matches of others; without others, the expression. */
export function except(match: string, without: readonly string[]): string {
  return without.length === 0 ? match : `(${match} NOT ${anyOf(without)})`
}

/** Returns the expression of documents with the tags that also match the expression. */
export function tagged(match: string, tags: TagFilter): string {
  const needed = tags.with.map((oneOf) => anyOf(oneOf.map(token)))
  return except(allOf([match, ...needed]), tags.without.map(token))
}

function joined(matches: readonly string[], operator: string): string {
  const once = [...new Set(matches)]
  return once.length === 1 ? once.join() : `(${once.join(operator)})`
}
