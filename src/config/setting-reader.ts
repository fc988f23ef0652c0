/** Environment variables; `.env.example` documents them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Largest number of most settings. */
export const MANY = 1_000_000

export type SettingReader = ReturnType<typeof settingReader>

/** Parses single settings. An invalid one is reported, and its default returned. Empty means unset. */
export function settingReader(env: Environment, fault: (text: string) => void) {
  function parse<T>(
    name: string,
    fallback: T,
    parseText: (text: string) => T | undefined,
    expected: string,
  ): T {
    const text = env[name]
    if (text === undefined || text === '') return fallback
    const value = parseText(text)
    if (value === undefined) fault(`${name} is "${text}". Use ${expected}.`)
    return value ?? fallback
  }

  return {
    fault,
    integer(name: string, fallback: number, min: number, max: number): number {
      const isValid = (text: string) =>
        /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
      const expected = `a whole number from ${min} to ${max}`
      return parse(name, fallback, (text) => (isValid(text) ? Number(text) : undefined), expected)
    },
    flag(name: string, fallback: boolean): boolean {
      const find = (text: string) => ON.includes(text) || (OFF.includes(text) ? false : undefined)
      return parse<boolean>(name, fallback, (text) => find(text.toLowerCase()), 'on or off')
    },
    choice<const Words extends readonly string[]>(
      name: string,
      words: Words,
      fallback: Words[number],
    ): Words[number] {
      const find = (text: string) => words.find((word) => word === text)
      return parse<Words[number]>(name, fallback, find, `one of ${words.join(', ')}`)
    },
    /** Returns a URL without trailing slashes. */
    url(name: string, protocols: readonly string[]): string | undefined {
      const isValid = (text: string) =>
        URL.canParse(text) && protocols.includes(new URL(text).protocol)
      const expected = `a URL such as ${protocols.map((protocol) => `${protocol}//…`).join(' or ')}`
      const trimmed = (text: string) => (isValid(text) ? text.replace(/\/+$/, '') : undefined)
      return parse<string | undefined>(name, undefined, trimmed, expected)
    },
    match<T>(name: string, pattern: RegExp, expected: string, fallback: T): string | T {
      const find = (text: string) => (pattern.test(text) ? text : undefined)
      return parse<string | T>(name, fallback, find, expected)
    },
    /** Splits a comma-separated list; invalid entries are reported and skipped. */
    list(
      name: string,
      isValid: (member: string) => boolean,
      expected: string,
      normalize = (member: string) => member,
    ): string[] {
      const members = (env[name] ?? '').split(',').map((member) => normalize(member.trim()))
      return members.filter(Boolean).filter((member) => {
        const valid = isValid(member)
        if (!valid) fault(`${name} contains "${member}". Use ${expected}.`)
        return valid
      })
    },
  }
}

const ON = ['1', 'true', 'on', 'yes']
const OFF = ['0', 'false', 'off', 'no']

export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

export const HTTP = ['https:', 'http:']
