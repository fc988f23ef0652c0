import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldText, listWordForms, splitIntoWords } from '#rules/search/typed-words.ts'
import { anyText } from '../../support/properties.ts'

const textsOf = (text: string) => splitIntoWords(text).map((word) => word.text)
const formsOf = (text: string) => splitIntoWords(text).flatMap((word) => [...listWordForms(word)])

describe('a text', () => {
  test.each([
    ['dark knight', ['dark', 'knight']],
    ['  Dark\tKnight\n', ['dark', 'knight']],
    ["Lim-Dûl's Vault", ["lim-dul's", 'vault']],
    ['4/102', ['4/102']],
    ['OP13-089_p1', ['op13-089_p1']],
    ['Fire // Ice', ['fire', 'ice']],
    ['dark--knight', ['dark', 'knight']],
    ['words:dark^2', ['words:dark', '2']],
    ['*64', ['64']],
    ['Æther', ['aether']],
    ['ＰＩＫＡＣＨＵ', ['pikachu']],
    ['カード テスト', ['カード', 'テスト']],
    ['½', ['1', '2']],
  ])('is split at spaces and other signs: %s', (text, words) => {
    expect(textsOf(text)).toEqual(words)
  })

  test.each(['', ' ', '-', "'", '"*^:()', '\u0000', '\ue000\ue001', '\u{f0000}', '\ud83d', '★'])(
    'has no word without a letter or a digit: %j',
    (text) => {
      expect(splitIntoWords(text)).toEqual([])
    },
  )

  test.each([
    ["Lim-Dûl's", ['lim', 'duls'], 'limduls'],
    ['blue-eyes', ['blue', 'eyes'], 'blueeyes'],
    ['op13-089', ['op13', '089'], 'op13089'],
    ['U.S.S.', ['uss'], undefined],
    ['Lv.X', ['lv', 'x'], 'lvx'],
    ['139/195', ['139', '195'], undefined],
    ['テツノイワオex', ['テツノイワオ', 'ex'], 'テツノイワオex'],
  ])('has words of parts: %s', (text, parts, squashed) => {
    const [word] = splitIntoWords(text)
    expect(word?.parts.map(({ raw }) => raw)).toEqual(parts)
    expect(word?.squashed).toBe(squashed)
  })

  test('equals itself in other case, accents, apostrophes and hyphens', () => {
    for (const same of ["LIM-DÛL'S", 'lim–dul’s', 'Lim-Du\u0302l‘s', 'Ｌim‐Dûlʼs']) {
      expect([same, foldText(same)]).toEqual([same, "lim-dul's"])
    }
  })
})

describe('a word is found by', () => {
  test.each([
    ['Charizard', ['charizard']],
    ["Lim-Dûl's", ['lim', 'duls', 'dul']],
    ['U.S.S.', ['uss', 'u', 's']],
    ["Farfetch'd", ['farfetchd', 'farfetch', 'd']],
    ['Farfetch’d', ['farfetchd', 'farfetch', 'd']],
    ["d'Avenant", ['davenant', 'd', 'avenant']],
    ['Agent 007', ['agent', '007', '7']],
    ['บัตเตอร์ฟรี', ['บัตเตอร์ฟรี']],
  ])('its parts, initials and stems: %s', (text, forms) => {
    expect(formsOf(text)).toEqual(forms)
  })

  test('each part as written and without leading zeros, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        for (const word of splitIntoWords(text)) {
          const forms = listWordForms(word)
          for (const { raw, plain } of word.parts) {
            expect(forms.has(raw)).toBe(true)
            expect(forms.has(plain)).toBe(true)
          }
        }
      }),
    )
  })

  test('letters, marks and digits only, for any text', () => {
    fc.assert(
      fc.property(anyText(40), (text) => {
        const others = formsOf(text).filter((form) => !/^[\p{L}\p{M}\p{N}]*$/u.test(form))
        expect(others).toEqual([])
      }),
    )
  })
})
