import { normalizeName } from '../catalog/trigrams.ts'

/** Languages of cards by their code (ISO 639-1, with the script of Chinese), with English names. */
export const LANGUAGES = {
  en: 'English',
  ja: 'Japanese',
  de: 'German',
  fr: 'French',
  it: 'Italian',
  es: 'Spanish',
  pt: 'Portuguese',
  nl: 'Dutch',
  pl: 'Polish',
  ru: 'Russian',
  ko: 'Korean',
  zhs: 'Chinese Simplified',
  zht: 'Chinese Traditional',
  th: 'Thai',
  id: 'Indonesian',
  cs: 'Czech',
  hu: 'Hungarian',
  la: 'Latin',
  he: 'Hebrew',
  ar: 'Arabic',
  grc: 'Ancient Greek',
  sa: 'Sanskrit',
  ph: 'Phyrexian',
} as const satisfies Record<string, string>

export type LanguageCode = keyof typeof LANGUAGES

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[] // Object.keys returns strings; these are all codes

/** Other names that apps write. */
const ALIASES: Readonly<Record<string, LanguageCode>> = {
  jp: 'ja',
  jpn: 'ja',
  eng: 'en',
  ger: 'de',
  kr: 'ko',
  sp: 'es',
  simplifiedchinese: 'zhs',
  chinesesimplified: 'zhs',
  schinese: 'zhs',
  cn: 'zhs',
  zh: 'zhs',
  chinese: 'zhs',
  traditionalchinese: 'zht',
  tchinese: 'zht',
  tw: 'zht',
  ptbr: 'pt',
  portuguesebrazil: 'pt',
}

const CODES: ReadonlyMap<string, LanguageCode> = new Map([
  ...LANGUAGE_CODES.flatMap((code): [string, LanguageCode][] => [
    [code, code],
    [normalizeName(LANGUAGES[code]), code],
  ]),
  ...Object.entries(ALIASES),
])

/** Parses the name or code of a language. */
export function parseLanguage(text: string): LanguageCode | undefined {
  return CODES.get(normalizeName(text))
}

/** Returns the English name of a language; the text itself if its code is unknown. */
export function languageName(code: string): string {
  // Only own members of the table are names.
  return Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code as LanguageCode] : code
}
