import { describe, expect, test } from 'bun:test'
import { takeTrailingWords } from '#rules/matching/trailing-words.ts'

/** The words behind a line: the line without them, and what they mean. */
function read(line: string) {
  const taken = takeTrailingWords(line)
  if (taken === undefined) return undefined
  const { hasUnknownWords, ...known } = taken.trailing
  const meanings = Object.values(known).filter((one) => one !== undefined)
  return [taken.text, ...meanings, ...(hasUnknownWords ? ['?'] : [])]
}

const CARD = 'Sol Ring (C21) 263'

describe('behind a set and a number', () => {
  test.each([
    ['foil', 'Foil'],
    ['Foil NM', 'Foil', 'near_mint'],
    ['NM Foil', 'Foil', 'near_mint'],
    ['Near Mint Foil', 'Foil', 'near_mint'],
    ['[Foil] NM', 'Foil', 'near_mint'],
    ['reverse holo', 'Reverse Holofoil'],
    ['non-foil', 'Normal'],
    ['EX', 'lightly_played'],
    ['(LP)', 'lightly_played'],
    ['Moderately Played', 'moderately_played'],
    ['D', 'damaged'],
    ['english', 'en'],
    ['(EN)', 'en'],
    ['[JP], NM', 'near_mint', 'ja'],
    ['Deutsch foil LP', 'Foil', 'lightly_played', 'de'],
    ['// ramp'],
    ['// cut this, maybe'],
    ['foil // ramp', 'Foil'],
    ['- trade', '?'],
    ['$1.50', '?'],
    ['1,50 €', '?'],
    ['12.5 USD', '?'],
    ['foil from the box of my brother in law, who has not played for years now', 'Foil', '?'],
  ] as [string, ...string[]][])('%p has its meaning', (words, ...meanings) => {
    expect(read(`${CARD} ${words}`)).toEqual([CARD, ...meanings])
  })

  test.each([
    'Charizard ex OBF 125',
    'Absol ROS 40',
    'Charizard 4/102',
    'Sol Ring (Commander 2021) (263)',
    'Sol Ring [C21]',
  ])('%p is a card as it is, and another word follows it', (card) => {
    expect(read(card)).toBeUndefined()
    expect(read(`${card} NM`)).toEqual([card, 'near_mint'])
    expect(read(`${card} whatever`)).toEqual([card, '?'])
  })
})

test('tags behind a card are no other words', () => {
  expect(read(`${CARD} [Ramp] [Card Draw] {top}`)).toBeUndefined()
  expect(read(`${CARD} [Lands That Tap For Mana] NM`)).toEqual([CARD, 'near_mint'])
})

describe('behind a name alone', () => {
  test.each([
    ['Sol Ring foil', 'Sol Ring', 'Foil'],
    ['Sol Ring NM', 'Sol Ring', 'near_mint'],
    ['Sol Ring near mint foil', 'Sol Ring', 'Foil', 'near_mint'],
    ['Sol Ring $2', 'Sol Ring', '?'],
    ['Sol Ring german', 'Sol Ring', 'de'],
  ] as [string, ...string[]][])('%p ends in words with one meaning', (line, ...expected) => {
    expect(read(line)).toEqual(expected)
  })

  test.each(['Charizard EX', 'Lugia HP', 'Foil', 'Team 7', 'Fire // Ice', 'Plains DE', 'Absol D'])(
    '%p is left as it is',
    (line) => {
      expect(read(line)).toBeUndefined()
    },
  )
})
