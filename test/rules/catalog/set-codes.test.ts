import { expect, test } from 'bun:test'
import {
  findSourceCode,
  listSetAliases,
  listSetCodes,
  listSetNames,
} from '#rules/catalog/set-codes.ts'
import codeTable from '../../../data/set-code-aliases.csv' with { type: 'text' }
import nameTable from '../../../data/set-name-aliases.csv' with { type: 'text' }

test('the codes of a set are its own, those in its name and those that apps use', () => {
  const pokemon = (name: string, abbreviation: string | null) =>
    listSetCodes({ game_slug: 'pokemon', name, abbreviation })
  expect(pokemon('XY - Roaring Skies', null)).toContain('ros')
  expect(pokemon('SV01: Scarlet & Violet Base Set', 'SV1')).toEqual(
    expect.arrayContaining(['sv1', 'sv01', 'svi']),
  )
  expect(pokemon('SWSH12: Silver Tempest Trainer Gallery', 'SWSH12: TG')).toContain('sit')
  expect(pokemon('SV: Prismatic Evolutions', 'PRE')).not.toContain('sv')
  const onePiece = { game_slug: 'one-piece', abbreviation: '569114' }
  expect(listSetCodes({ ...onePiece, name: 'BOOSTER PACK -ROMANCE DAWN- [OP-01]' })).toEqual([
    '569114',
    'op01',
  ])
  expect(listSetCodes({ ...onePiece, name: 'BOOSTER PACK [OP15-EB04]' })).toEqual([
    '569114',
    'op15',
    'eb04',
  ])
})

test('a code counts for its game only', () => {
  const roaringSkies = { name: 'XY - Roaring Skies', abbreviation: null }
  expect(listSetCodes({ ...roaringSkies, game_slug: 'magic' })).toEqual([])
})

test('the names of a set include the one without its series', () => {
  expect(listSetNames('SM - Team Up')).toEqual(['smteamup', 'teamup'])
  expect(listSetNames('SWSH07: Evolving Skies')).toEqual(['swsh07evolvingskies', 'evolvingskies'])
  expect(listSetNames('Jungle')).toEqual(['jungle'])
})

test('a set has the codes and names of a set whose name is another form of its own', () => {
  const kit = { game_slug: 'pokemon', name: 'BW Trainer Kit: Excadrill & Zoroark' }
  expect(listSetCodes({ ...kit, abbreviation: 'BLW' })).toEqual(
    expect.arrayContaining(['blw', 'tk5e', 'tk5z']),
  )
  const jungle = { game_slug: 'pokemon', abbreviation: null, name: 'Jungle' }
  expect(listSetAliases(jungle).names).toEqual(['Dschungel'])
  expect(listSetAliases({ ...jungle, game_slug: 'magic' }).names).toEqual([])
})

test('the codes of a set are not those of another one with the same last words', () => {
  const legends = { game_slug: 'magic', abbreviation: 'V11', name: 'From the Vault: Legends' }
  expect(listSetCodes(legends)).toContain('v11')
  expect(listSetCodes(legends)).not.toContain('lg')
})

test.each([
  { column: 'code', table: codeTable },
  { column: 'name', table: nameTable },
])(
  'every row of the table has a game, a $column, a set and a source, once',
  ({ column, table }) => {
    const [header, ...rows] = table.trim().split('\n')
    expect(header).toBe(`game,${column},set,source`)
    expect(rows.filter((row) => !/^[a-z-]+(,[^,"]+){2},[a-z]+$/.test(row))).toEqual([])
    const keys = rows.map((row) => row.split(',').slice(0, 3).join(',').toLowerCase())
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  },
)

test('a name in the table belongs to one set; those of Lorcana also to the short names of a mirror', () => {
  const rows = nameTable.trim().split('\n').slice(1)
  const names = rows
    .filter((row) => !row.startsWith('lorcana,'))
    .map((row) => row.split(',').slice(0, 2).join(',').toLowerCase())
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test.each([
  ['Surging Sparks', 'tcgdex', 'SSP'],
  ['SV08: Surging Sparks', 'tcgdex', 'SSP'],
  ['Base Set', 'tcgdex', 'base1'],
  ['Base Set', 'dreamborn', null],
  ['Prize Pack Series Cards', 'tcgdex', null],
])('the set %p has in %p the code %p', (name, source, code) => {
  expect(findSourceCode({ game_slug: 'pokemon', name, abbreviation: null }, source)).toBe(code)
})
