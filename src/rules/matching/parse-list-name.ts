// How a card's name may be meant that stands in somebody's list. People write the number behind it,
// the code of the set, or a word about the printing: `Fire // Ice (128) [APC]`.

/** A name, and what stood behind it. */
export type NameReading = {
  name: string
  /** What was taken off the end, the last one first, without its brackets. */
  suffixes: readonly string[]
}

/** The ways to read what was written: first as it stands, then with less and less behind the name. */
export function parseListName(written: string): NameReading[] {
  const readings: NameReading[] = [{ name: written.trim(), suffixes: [] }]
  for (let last = readings[0]; last !== undefined && last.suffixes.length < MARKS_MAX; ) {
    const { name, suffixes } = last
    const [, rest, mark] = BRACKETS.exec(name) ?? NUMBER.exec(name) ?? []
    if (rest === undefined || mark === undefined || mark.trim() === '') break
    last = { name: rest, suffixes: [...suffixes, mark.trim()] }
    readings.push(last)
  }
  return readings
}

/** Nobody writes more behind a name. */
const MARKS_MAX = 4

/** `Charizard (Prerelease)`, `Lightning Bolt [M10]`. */
const BRACKETS = /^(.*\S)\s*[([{]([^()[\]{}]*)[)\]}]$/u

/** `Charizard 4/102`, `Pikachu - SM197`, `Island #234`, `Roronoa Zoro OP01-001`. */
const NUMBER =
  /^(.*?\S)\s+(?:[-–—]\s+)?#?((?:\p{L}{1,5}\d{0,3}-?)?\d+\p{L}?[★*†]?(?:\/\p{L}{0,5}\d+)?)$/u
