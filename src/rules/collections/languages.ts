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

/** Other names that apps and people write: names in the language itself and in German, codes of three letters. */
const ALIASES: Readonly<Record<string, LanguageCode>> = Object.fromEntries(
  Object.entries({
    en: 'eng, us, gb, anglais, englisch, ingles, inglese',
    ja: 'jp, jpn, 日本語, japanisch, japonais, giapponese, japones',
    de: 'ger, deu, deutsch, allemand, aleman, tedesco, alemao',
    fr: 'fra, fre, francais, franzosisch, frances, francese',
    it: 'ita, italiano, italienisch, italien',
    es: 'sp, spa, esp, espanol, castellano, spanisch, espagnol, spagnolo, espanhol',
    pt: 'por, portugues, portugiesisch, portugais, portoghese, portuguesebrazil, brazilianportuguese',
    nl: 'dut, nld, nederlands, niederlandisch',
    pl: 'pol, polski, polnisch',
    ru: 'rus, русский, russisch, russe, ruso, russo',
    ko: 'kr, kor, 한국어, koreanisch, coreen, coreano',
    zhs: `simplifiedchinese, chinesesimplified, schinese, chineses, simplified, cn, zh, zhcn, zhhans, chs, chi, zho,
      chinese, chinesisch, chinois, chino, cinese, chines, 简体中文, 中文`,
    zht: 'traditionalchinese, chinesetraditional, tchinese, chineset, tw, zhtw, zhhk, zhhant, cht, 繁體中文, 繁体中文',
    th: 'tha, thai, ไทย',
    id: 'ind, bahasaindonesia',
  } satisfies Partial<Record<LanguageCode, string>>).flatMap(([code, names]) =>
    // Object.entries returns strings; these are the keys of the table above.
    names.split(',').map((name) => [normalizeName(name), code as LanguageCode]),
  ),
)

const CODES: ReadonlyMap<string, LanguageCode> = new Map([
  ...LANGUAGE_CODES.flatMap((code): [string, LanguageCode][] => [
    [code, code],
    [normalizeName(LANGUAGES[code]), code],
  ]),
  ...Object.entries(ALIASES),
])

/**
 * Parses the name or code of a language, with or without a country: `en-US`, `pt_BR`. In capitals, `CS` and `CT` are
 * Archidekt's codes for Chinese; `cs` is Czech.
 */
export function parseLanguage(text: string): LanguageCode | undefined {
  if (text === 'CS' || text === 'CT') return text === 'CS' ? 'zhs' : 'zht'
  const key = normalizeName(text)
  const [, language] = /^([a-z]{2})[-_][a-z]{2}$/i.exec(text.trim()) ?? []
  return CODES.get(key) ?? (language === undefined ? undefined : CODES.get(language.toLowerCase()))
}

/** Returns the English name of a language; the text itself if its code is unknown. */
export function languageName(code: string): string {
  // Only own members of the table are names.
  return Object.hasOwn(LANGUAGES, code) ? LANGUAGES[code as LanguageCode] : code
}
