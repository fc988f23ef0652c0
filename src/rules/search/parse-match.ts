// Reads the expressions of match-expressions.ts back, so that they can be evaluated without SQLite.

/** A full-text expression. `source` is its text. */
export type Match = { source: string } & (
  | { kind: 'token' | 'prefix'; text: string }
  | { kind: 'all' | 'any'; matches: readonly Match[] }
  | { kind: 'except'; match: Match; without: Match }
)

/** @throws Error if the text is not an expression of match-expressions.ts */
export function parseMatch(source: string): Match {
  let at = 0
  const match = parseOne()
  if (at < source.length) throw invalid()
  return match

  function parseOne(): Match {
    const from = at
    if (source[at] === '(') return parseGroup(from)
    const text = parseText()
    const isPrefix = take(' *')
    return { kind: isPrefix ? 'prefix' : 'token', text, source: source.slice(from, at) }
  }

  function parseGroup(from: number): Match {
    at++
    const first = parseOne()
    const operator = OPERATORS.find(take)
    if (operator === undefined) throw invalid()
    const matches = [first]
    do matches.push(parseOne())
    while (take(operator))
    if (!take(')')) throw invalid()
    const own = source.slice(from, at)
    if (operator !== ' NOT ')
      return { kind: operator === ' AND ' ? 'all' : 'any', matches, source: own }
    const [, without, ...more] = matches
    if (without === undefined || more.length > 0) throw invalid()
    return { kind: 'except', match: first, without, source: own }
  }

  function parseText(): string {
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(source)?.[0]
    if (quoted === undefined) throw invalid()
    at += quoted.length
    return quoted.slice(1, -1).replaceAll('""', '"')
  }

  function take(text: string): boolean {
    const isNext = source.startsWith(text, at)
    if (isNext) at += text.length
    return isNext
  }

  function invalid(): Error {
    return new Error(`no full-text expression at ${at}: ${source}`)
  }
}

const OPERATORS = [' AND ', ' OR ', ' NOT '] as const
const QUOTED = /"(?:[^"]|"")*"/y
