import { expect, test } from 'bun:test'
import { findRewording, isFiller } from '#rules/search/shorthand.ts'

const wordings = (phrase: string) =>
  findRewording(phrase.split(' '), 0)?.wordings.map(({ words }) => words.join(' '))

test.each([
  ['alt art', 'alternate art'],
  ['reverse holo', 'reverse holofoil'],
  ['rev holo', 'reverse holofoil'],
  ['holo', 'holofoil'],
  ['foil', 'holofoil'],
  ['first edition', '1st edition'],
  ['etb', 'elite trainer box'],
  ['sir', 'special illustration rare'],
  ['promos', 'promo'],
])('%s is also worded as %s', (phrase, wording) => {
  expect(wordings(phrase)).toContain(wording)
})

test('the longest phrase is found, at any word', () => {
  expect(findRewording(['mew', 'reverse', 'holo'], 0)).toBeUndefined()
  expect(findRewording(['mew', 'reverse', 'holo'], 1)).toMatchObject({ length: 2 })
  expect(findRewording(['reverse', 'holo', 'rare'], 0)).toMatchObject({ length: 2 })
  expect(findRewording(['holo', 'rare', 'mew'], 0)).toMatchObject({ length: 2 })
})

test('a wording may be of names only', () => {
  expect(findRewording(['rainbow'], 0)?.wordings).toContainEqual({
    words: ['secret'],
    isName: true,
  })
  expect(findRewording(['holo'], 0)?.wordings).toEqual([{ words: ['holofoil'], isName: false }])
})

test('names, sets and inherited properties have no other wording', () => {
  for (const word of ['charizard', 'jungle', 'constructor', '__proto__', '']) {
    expect(findRewording([word], 0)).toBeUndefined()
  }
})

test('fillers describe any card', () => {
  for (const word of ['card', 'price', 'value', 'tcg'])
    expect([word, isFiller(word)]).toEqual([word, true])
  for (const word of ['foil', 'mew', 'box', ''])
    expect([word, isFiller(word)]).toEqual([word, false])
})
