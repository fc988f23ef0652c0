import { expect, test } from 'bun:test'
import { listJsonCards } from '#rules/matching/parse-deck-json.ts'

const DECK = {
  ObjectStates: [
    {
      Name: 'DeckCustom',
      Nickname: 'My deck',
      ContainedObjects: [
        { Name: 'Card', Nickname: 'Cindle\nCreature 2 CMC', Tags: ['Red'] },
        { Name: 'Card', Nickname: 'Cindle\nCreature 2 CMC', Tags: [] },
        { Name: 'Card', Nickname: 'Whisht' },
        { Name: 'Card', Nickname: '' },
      ],
    },
    { Name: 'Card', Nickname: 'Marginwyrm' },
  ],
}

test.each([
  ['a list of numbers', ['sv8pt5-4', 'sv3-125', 'sv3-125'], ['1 sv8pt5-4', '2 sv3-125']],
  ['a deck of Tabletop Simulator', DECK, ['2 Cindle', '1 Whisht', '1 Marginwyrm']],
  ['other JSON', { name: 'Cindle', cards: 3 }, []],
  ['a list of other values', [1, null, true], []],
] as [string, unknown, string[]][])('%s has its cards', (_, value, lines) => {
  expect(listJsonCards(JSON.stringify(value))).toEqual(lines)
  expect(listJsonCards(`\ufeff ${JSON.stringify(value, null, 2)}`)).toEqual(lines)
})

test.each(['4 Cindle', '[CMR#472] Sol Ring', '{', '', '['.repeat(900_000)])(
  '%.20p is left to others',
  (text) => {
    expect(listJsonCards(text)).toBeUndefined()
  },
)
