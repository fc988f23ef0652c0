// Lists as JSON: a list of names or numbers (`["sv3-125"]`), and decks of Tabletop Simulator.

/** A longer file is not parsed, because that takes all turns at once. */
export const DECK_JSON_MAX = 1_000_000

/**
 * Lists the cards of a text as lines, each card once with its copies.
 *
 * @returns undefined if the text is not JSON
 */
export function listJsonCards(text: string): string[] | undefined {
  if (text.length > DECK_JSON_MAX || !/^[\s\ufeff]*[[{]/.test(text)) return undefined
  const value = parseJson(text)
  if (value === undefined) return undefined
  const copies = new Map<string, number>()
  // Not recursive, because a file may be nested deeper than the stack.
  const open: unknown[] = [value]
  while (open.length > 0) {
    const one = open.pop()
    if (typeof one === 'string') copies.set(one.trim(), (copies.get(one.trim()) ?? 0) + 1)
    else if (Array.isArray(one)) for (const entry of one.toReversed()) open.push(entry)
    else if (typeof one === 'object' && one !== null) open.push(...listMembers(one))
  }
  copies.delete('')
  return Array.from(copies, ([name, count]) => `${count} ${name}`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

/** Lists the members of an object of Tabletop Simulator that have cards: its objects, or the name of a card. */
function listMembers(object: object): unknown[] {
  const { ObjectStates, ContainedObjects, Nickname } = object as Record<string, unknown>
  const inner = [ContainedObjects, ObjectStates].filter((one) => typeof one === 'object')
  return inner.length > 0 ? inner : typeof Nickname === 'string' ? [firstLine(Nickname)] : []
}

/** Names of cards are followed by their type and mana value. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
