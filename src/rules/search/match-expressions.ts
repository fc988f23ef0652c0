// Builds full-text expressions as trees, which are evaluated in memory or by SQLite's FTS5.

/** A full-text expression. `source` is its text in FTS5; equal expressions have the same. */
export type Match = { source: string } & (
  | { kind: 'token' | 'prefix'; word: string }
  | { kind: 'all' | 'any'; matches: readonly Match[] }
  | { kind: 'except'; match: Match; without: Match }
)

/** Tags that a card must have (one of each list), and tags that it must not have. */
export type TagFilter = { with: readonly (readonly string[])[]; without: readonly string[] }

/** Returns the expression of a word that documents contain. */
export function token(word: string): Match {
  return { kind: 'token', word, source: quote(word) }
}

/** Returns the expression of all words that begin with a text. */
export function prefix(word: string): Match {
  return { kind: 'prefix', word, source: `${quote(word)} *` }
}

/** Returns the expression of documents that match all expressions. @param matches at least one */
export function allOf(matches: readonly Match[]): Match {
  return joined('all', matches)
}

/** Returns the expression of documents that match all expressions. @param matches at least one */
export function anyOf(matches: readonly Match[]): Match {
  return joined('any', matches)
}

/** Returns an expression that excludes the matches of others; without others, the same expression. */
export function except(match: Match, others: readonly Match[]): Match {
  if (others.length === 0) return match
  const without = anyOf(others)
  return { kind: 'except', match, without, source: `(${match.source} NOT ${without.source})` }
}

/** Returns the expression of documents with the tags that also match the expression. */
export function tagged(match: Match, tags: TagFilter): Match {
  const needed = tags.with.map((oneOf) => anyOf(oneOf.map(token)))
  return except(allOf([match, ...needed]), tags.without.map(token))
}

/** Joins different expressions; a single one stays unchanged. */
function joined(kind: 'all' | 'any', matches: readonly Match[]): Match {
  const [first] = matches
  if (first === undefined) throw new Error('an expression needs a part')
  const sources = new Set<string>()
  const different: Match[] = []
  for (const match of matches) {
    if (sources.has(match.source)) continue
    sources.add(match.source)
    different.push(match)
  }
  if (different.length === 1) return first
  const source = [...sources].join(kind === 'all' ? ' AND ' : ' OR ')
  return { kind, matches: different, source: `(${source})` }
}

/** Quotes a word, so that no text acts as an operator. */
function quote(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}
