// Parses card names from lists. People add the collector number, the set code or the printing after
// the name: `Fire // Ice (128) [APC]`.

/** A name, and the text found after it. */
export type NameReading = {
  name: string
  /** Texts removed from the end, the last one first, without their brackets. */
  suffixes: readonly string[]
}

/** Lists the readings of a written name: as written, then with one suffix less each time. */
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

/** Maximum number of suffixes. */
const MARKS_MAX = 4

/** `Charizard (Prerelease)`, `Lightning Bolt [M10]`, `Lightning Bolt <retro>`. */
const BRACKETS = /^(.*\S)\s*[([{<]([^()[\]{}<>]*)[)\]}>]$/u

/** `Charizard 4/102`, `Pikachu - SM197`, `Island #234`, `Roronoa Zoro OP01-001_p1`, `Absol 12abc`. */
const NUMBER =
  /^(.*?\S)\s+(?:[-–—]\s+)?#?((?:\p{L}{1,5}\d{0,3}-?)?\d+\p{L}?[★*†]?(?:\/\p{L}{0,5}\d+)?|\p{L}{0,5}\d{0,3}-?\d[\p{L}\d]{0,8}(?:_\p{L}\d{1,2})?)$/u
