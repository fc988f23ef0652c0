import { expect, test } from 'bun:test'
import { LANGUAGE_CODES, languageName, parseLanguage } from '#rules/collections/languages.ts'

test.each([
  ['CS', 'zhs'],
  ['CT', 'zht'],
  ['cs', 'cs'],
  ['Czech', 'cs'],
  ['JP', 'ja'],
  ['KR', 'ko'],
  ['SP', 'es'],
  ['zh_CN', 'zhs'],
  ['zh_TW', 'zht'],
  ['zh-Hans', 'zhs'],
  ['zh-Hant', 'zht'],
  ['S-Chinese', 'zhs'],
  ['T-Chinese', 'zht'],
  ['Chinese (S)', 'zhs'],
  ['Chinese (T)', 'zht'],
  ['Chinese', 'zhs'],
  ['Simplified Chinese', 'zhs'],
  ['Traditional Chinese', 'zht'],
  ['en-US', 'en'],
  ['pt_BR', 'pt'],
  ['Español', 'es'],
  ['Français', 'fr'],
  ['Deutsch', 'de'],
  ['Japanisch', 'ja'],
  ['日本語', 'ja'],
  ['한국어', 'ko'],
  ['Русский', 'ru'],
  ['ph', 'ph'],
  ['xx-YY', undefined],
  ['Klingon', undefined],
])('%p is the language %p', (text, code) => {
  expect(parseLanguage(text)).toBe(code as never)
})

test.each(LANGUAGE_CODES)('%p is read by its code and its English name', (code) => {
  expect([parseLanguage(code), parseLanguage(languageName(code))]).toEqual([code, code])
})
