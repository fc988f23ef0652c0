// Rows, lines and names that several cards fit. The small catalog has real names and invented prices.
import { afterAll, describe, expect, test } from 'bun:test'
import type { NameItem } from '#actions/matching/name-index.ts'
import { parseCollection } from '#actions/matching/parse-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { resolveList } from '#actions/matching/resolve-list.ts'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import { resolveRows } from '#actions/matching/resolve-rows.ts'
import type { Preference } from '#rules/matching/preference.ts'
import {
  createCatalogUpstream,
  createSyncWorld,
  type NewCard,
} from '../../support/sync/upstream-fixture.ts'

const SETS = [
  [1, { id: 10, name: 'Mirage', abbreviation: 'MIR' }],
  [1, { id: 11, name: 'Mirrodin', abbreviation: 'MRD' }],
  [1, { id: 12, name: 'Tenth Edition', abbreviation: '10E' }],
  [71, { id: 40, name: 'The First Chapter', abbreviation: 'TFC' }],
  [2, { id: 20, name: 'ROMANCE DAWN [OP-01]', abbreviation: 'OP01' }],
  [3, { id: 33, name: 'Base Set', abbreviation: 'BS' }],
  [3, { id: 34, name: 'Base Set (Shadowless)', abbreviation: 'BSS' }],
  [3, { id: 30, name: 'XY Promos', abbreviation: 'PR' }],
  [3, { id: 31, name: 'Best of Promos', abbreviation: 'PR' }],
  [3, { id: 32, name: 'Obsidian Flames', abbreviation: 'OBF' }],
  [3, { id: 35, name: 'Unbroken Bonds', abbreviation: 'UNB' }],
  [3, { id: 36, name: 'Gym Heroes', abbreviation: 'G1' }],
  [3, { id: 37, name: 'Hidden Fates: Shiny Vault', abbreviation: 'HIF:SV' }],
  [3, { id: 38, name: 'Hidden Fates Shiny Vault', abbreviation: 'Hidden Fates Shiny Vault' }],
  [85, { id: 50, name: 'SM10', abbreviation: 'SM10' }],
] as const

const CARDS: Record<number, NewCard[]> = {
  10: [
    { id: 101, name: 'Mountain', number: '343', prices: { Normal: 0.2 } },
    { id: 102, name: 'Disenchant', number: '10', prices: { Normal: 0.3 } },
    { id: 103, name: 'Regeneration', number: '232', prices: { Normal: 0.1 } },
  ],
  11: [
    { id: 111, name: 'Mountain', number: '299', prices: { Normal: 0.1 } },
    { id: 112, name: 'Shatter', number: '105', prices: { Normal: 0.1 } },
    { id: 113, name: 'Regeneration', number: '232', prices: { Normal: 0.1 } },
  ],
  40: [
    { id: 401, name: 'Mickey Mouse - Brave Little Tailor', number: '115/204', prices: { Foil: 2 } },
    { id: 402, name: 'Card Soldier', number: '1/204', prices: { Normal: 1 } },
  ],
  20: [
    { id: 201, name: 'Nami', number: 'OP01-016', prices: { Normal: 2 } },
    { id: 202, name: 'Nami (Parallel)', number: 'OP01-016', prices: { Foil: 150 } },
    { id: 203, name: 'Zeus', number: 'OP01-017', prices: { Normal: 1 } },
  ],
  33: [{ id: 331, name: 'Machamp', number: '8/102', prices: { Holofoil: 15 } }],
  34: [{ id: 341, name: 'Machamp', number: '8/102', prices: { '1st Edition Holofoil': 60 } }],
  30: [
    { id: 301, name: 'Pikachu', number: 'XY95', prices: { Holofoil: 3 } },
    { id: 302, name: 'Venusaur', number: '8', prices: { Holofoil: 7 } },
    { id: 303, name: 'Mew', number: '11', prices: { Holofoil: 5 } },
    { id: 304, name: 'Eevee', number: '21', prices: { Normal: 1 } },
    { id: 305, name: 'Eevee (Cosmos Holo)', number: '21', prices: { Holofoil: 40 } },
    { id: 306, name: 'Eevee (Cosmos Holo)', number: '22', prices: { Holofoil: 25 } },
  ],
  31: [
    { id: 311, name: 'Pikachu', number: '5', prices: { Holofoil: 90 } },
    { id: 312, name: 'Mew', number: '11', prices: { Holofoil: 60 } },
    { id: 313, name: 'Eevee (Cosmos Holo)', number: '9', prices: { Holofoil: 12 } },
  ],
  32: [
    { id: 321, name: 'Eevee', number: '133', prices: { Normal: 0.1 } },
    { id: 322, name: 'Charizard ex - 125/197', number: '125/197', prices: { Holofoil: 5 } },
    { id: 323, name: 'Charizard ex - 223/197', number: '223/197', prices: { Holofoil: 110 } },
    { id: 324, name: 'Eevee (Cosmos Holo)', number: '133', prices: { Holofoil: 3 } },
  ],
  35: [
    { id: 351, name: 'Charmeleon', number: '8/214', prices: { Normal: 0.1 } },
    { id: 352, name: 'Snorlax', number: '44/214', prices: { Normal: 0.1 } },
    { id: 353, name: 'Snorlax (Cosmos Holo)', number: '44/214', prices: { Holofoil: 9 } },
    { id: 356, name: 'Morpeko V-Union', number: '290', prices: { Normal: 1 } },
    { id: 357, name: 'Greninja V-Union (Set of 4)', number: '158', prices: { Normal: 4 } },
    { id: 354, name: 'Blaziken', number: '30', prices: { Normal: 0.1 } },
    { id: 355, name: 'Blaziken (Holo)', number: '30', prices: { Holofoil: 2 } },
  ],
  36: [
    { id: 361, name: 'Snorlax', number: '44/132', prices: { Normal: 0.3 } },
    { id: 362, name: 'Snorlax (Cosmos Holo)', number: '44/132', prices: { Holofoil: 4 } },
    { id: 363, name: 'Snorlax (Prize Pack)', number: '44/132', prices: { Normal: 5 } },
    { id: 366, name: 'Rotom', number: '50', prices: { Normal: 0.2 } },
    { id: 367, name: 'Rotom (Cosmos Holo)', number: '50', prices: { Holofoil: 2 } },
    { id: 368, name: 'Rotom (Cosmos Holo)', number: '50', prices: { Holofoil: 90 } },
    { id: 364, name: 'Blaziken', number: '30', prices: { Normal: 0.2 } },
    { id: 365, name: 'Blaziken (Holo)', number: '30', prices: { Holofoil: 1 } },
  ],
  37: [{ id: 371, name: 'Scyther', number: 'SV1/SV94', prices: { Holofoil: 1 } }],
  38: [{ id: 381, name: 'Scyther', number: 'SV1/SV94', prices: { Holofoil: 2 } }],
  50: [{ id: 501, name: 'リザード', number: '8', prices: { Normal: 0.1 } }],
}

/** More cards of a name than a line compares. */
const SWAMPS = Array.from({ length: 2_000 }, (_, at) => ({
  id: 2_000 + at,
  name: 'Swamp',
  number: at % 1_999 === 0 ? '343' : `${1_000 + at}`,
  prices: { Normal: 0.1 },
}))

const games = [
  { id: 1, name: 'Magic' },
  { id: 2, name: 'One Piece' },
  { id: 71, name: 'Lorcana TCG' },
  { id: 3, name: 'Pokemon' },
  { id: 85, name: 'Pokemon Japan' },
]
const world = createSyncWorld(
  createCatalogUpstream({ games, sets: SETS, cards: { ...CARDS, 12: SWAMPS } }),
)
await world.sync()
afterAll(() => world.close())

type Cells = Partial<Record<'set' | 'code' | 'number' | 'printing', string | undefined>> & {
  name: string
}

async function ofRow({ name, set, code, number, printing = '' }: Cells, prefer?: Preference) {
  const parts = { set_code: code ?? null, set_name: set ?? null, number: number ?? null }
  const rows = [{ name, game: undefined, ...parts, printing }]
  const [answer] = await resolveRows(world, rows, prefer)
  return answer
}

type NameParts = Pick<NameItem, 'set' | 'number'> & { prefer?: Preference }

async function ofName(name: string, { prefer, ...parts }: NameParts = {}) {
  const [answer] = await resolveNames(world, [{ name, ...parts }], prefer)
  return answer
}

/** The answers to a row, a line and a name with the same parts. */
async function answersTo(name: string, code: string, number?: string) {
  return Promise.all([
    ofRow({ name, code, number }),
    ofName([name, code, number].filter(Boolean).join(' ')),
    ofName(name, { set: code, number }),
  ])
}

describe('a code that several sets share', () => {
  test.each([
    ['Pikachu', '5', 311],
    ['Pikachu', 'XY95', 301],
    ['Venusaur', '8', 302],
  ])('is certain if only one card is %s with the number %s', async (name, number, card_id) => {
    for (const answer of await answersTo(name, 'PR', number)) {
      expect(answer).toMatchObject({ card_id, certainty: 'certain' })
    }
  })

  test.each([
    ['Mew', '11'],
    ['Mew', undefined],
    ['Pikachu', undefined],
    ['Venusaur', undefined],
  ])('is a guess for %s with the number %p', async (name, number) => {
    for (const answer of await answersTo(name, 'PR', number)) {
      expect(answer).toMatchObject({ card_id: expect.any(Number), certainty: 'guessed' })
    }
  })
})

describe('a row whose code means another set than its name', () => {
  const contradictory = { code: 'MIR', set: 'Mirrodin' }

  test.each([
    ['Mountain', undefined, 111],
    ['Shatter', undefined, 112],
    ['Disenchant', undefined, 102],
    ['Mountain', '7', 111],
    ['Regeneration', '232', 113],
  ])('is a guess in the set of the name: %s with the number %p', async (name, number, card_id) => {
    const answer = await ofRow({ name, ...contradictory, number })
    expect(answer).toMatchObject({ card_id, certainty: 'guessed' })
  })

  test.each([
    ['Mountain', '299', 111],
    ['Mountain', '343', 101],
    ['Disenchant', '10', 102],
    ['Shatter', '105', 112],
  ])('is certain if only one card is %s with the number %s', async (name, number, card_id) => {
    const answer = await ofRow({ name, ...contradictory, number })
    expect(answer).toMatchObject({ card_id, certainty: 'certain', notes: [] })
  })

  test.each([
    ['MIR', 'Mirrodin', 113, 'guessed'],
    ['MRD', 'Mirrodin', 113, 'certain'],
    ['MRD', 'No Such Set', 113, 'certain'],
  ])('is a guess without a name, too: %s and %s', async (code, set, id, certainty) => {
    const file = new TextEncoder().encode(`Set Code,Set,Card Number\n${code},${set},232\n`)
    const [row] = await Array.fromAsync(resolveCollection(world, parseCollection(file)))
    expect(row).toMatchObject({ found: { card: { id }, certainty } })
  })

  test('is certain if the code is one of the same set of another source', async () => {
    const answer = await ofRow({ name: 'Pikachu', code: 'PR-XY', set: 'XY Promos', number: 'XY95' })
    expect(answer).toMatchObject({ card_id: 301, certainty: 'certain' })
    expect(await ofRow({ name: 'Pikachu', code: 'PR', set: 'XY Promos' })).toMatchObject({
      card_id: 301,
      certainty: 'certain',
    })
  })
})

test('a row whose code and name mean two sets is certain in the one that is spelled like its name', async () => {
  const set = 'Hidden Fates Shiny Vault'
  expect(
    await ofRow({ name: 'Scyther', code: set.toUpperCase(), set, number: 'SV1' }),
  ).toMatchObject({ card_id: 381, certainty: 'certain' })
})

describe('a code and a number without a name', () => {
  const ofFile = async (cells: string) => {
    const file = new TextEncoder().encode(`Set Code,Set,Card Number\n${cells}\n`)
    const [row] = await Array.fromAsync(resolveCollection(world, parseCollection(file)))
    return row
  }

  test.each(['SM10 8', 'sm10-8'])(
    'are a guess if the code is that of another game, too: %s',
    async (line) => {
      expect(await ofName(line)).toMatchObject({
        card_id: 501,
        certainty: 'guessed',
        alternatives: [351],
      })
    },
  )

  test('are certain with the name of the set', async () => {
    const found = { card: { id: 501 }, certainty: 'guessed' }
    expect(await ofFile('SM10,,8')).toMatchObject({ found })
    const named = { card: { id: 351 }, certainty: 'certain' }
    expect(await ofFile('SM10,Unbroken Bonds,8')).toMatchObject({ found: named })
    expect(await ofName('UNB 8')).toMatchObject({ card_id: 351, certainty: 'certain' })
  })
})

describe('several cards of a name', () => {
  const flames = 'Obsidian Flames'

  test.each([
    [undefined, 322],
    ['highest', 323],
  ] as const)('in a set without a number are assumed, by the preference %p', async (prefer, id) => {
    const answers = await Promise.all([
      ofRow({ name: 'Charizard ex', set: flames }, prefer),
      ofName('Charizard ex', { set: flames, ...(prefer && { prefer }) }),
      ofName('Charizard ex OBF', prefer && { prefer }),
    ])
    for (const answer of answers) {
      expect(answer).toMatchObject({ card_id: id, certainty: 'assumed' })
    }
  })

  test('with a number in several sets are assumed, and certain in one', async () => {
    const assumed = { card_id: 303, certainty: 'assumed' }
    expect(await ofRow({ name: 'Mew', number: '11' })).toMatchObject(assumed)
    expect(await ofName('Mew 11')).toMatchObject(assumed)
    expect(await ofRow({ name: 'Mew', number: '11' }, 'highest')).toMatchObject({ card_id: 312 })
    for (const answer of await answersTo('Charizard ex', 'OBF', '223')) {
      expect(answer).toMatchObject({ card_id: 323, certainty: 'certain' })
    }
  })

  test('that a line does not all compare are assumed, because others may fit', async () => {
    expect(await ofName('Swamp 343')).toMatchObject({ card_id: 2_000, certainty: 'assumed' })
  })

  test('have a note in a file and a list', async () => {
    const file = new TextEncoder().encode(`Name,Set\nCharizard ex,${flames}\n`)
    const rows = [resolveCollection(world, parseCollection(file)), resolveList(world, 'Mew 11')]
    for await (const [row] of rows.map((one) => Array.fromAsync(one))) {
      expect(row).toMatchObject({ found: { notes: ['printing_assumed'] } })
    }
  })

  test('with a number that names its set are versions of one card', async () => {
    expect(await ofName('4xOP01-016')).toMatchObject({ card_id: 201, certainty: 'assumed' })
    expect(await ofName('4xOP01-016', { prefer: 'highest' })).toMatchObject({ card_id: 202 })
    expect(await ofName('4xOP01-017')).toMatchObject({ card_id: 203, certainty: 'certain' })
  })
})

describe('a variant without a set and a number', () => {
  test.each([
    [undefined, 324],
    ['highest', 305],
  ] as const)('is chosen by the preference %p', async (prefer, card_id) => {
    const assumed = { card_id, certainty: 'assumed' }
    const inColumn = { name: 'Eevee', printing: 'Cosmos' }
    expect(await ofRow(inColumn, prefer)).toMatchObject(assumed)
    expect(await ofRow({ name: 'Eevee (Cosmos)' }, prefer)).toMatchObject(assumed)
    expect(await ofName('Eevee (Cosmos)', prefer && { prefer })).toMatchObject(assumed)
  })

  test('stays in a set that is named', async () => {
    const answer = { card_id: 313, certainty: 'certain' }
    expect(await ofRow({ name: 'Eevee (Cosmos)', set: 'Best of Promos' })).toMatchObject({
      card_id: 313,
    })
    expect(await ofName('Eevee (Cosmos)', { set: 'Obsidian Flames' })).toMatchObject({
      ...answer,
      card_id: 324,
    })
  })
})

describe('a variant with a number, but without a set', () => {
  const ofEach = (name: string, label: string, number: string, prefer?: Preference) =>
    Promise.all([
      ofRow({ name, printing: label, number }, prefer),
      ofRow({ name: `${name} (${label})`, number }, prefer),
      ofName(`${name} (${label}) ${number}`, prefer && { prefer }),
    ])

  test.each([
    ['Snorlax', 'Cosmos', '44', undefined, 362],
    ['Snorlax', 'Cosmos', '44', 'highest', 353],
    ['Blaziken', 'Holo', '30', undefined, 365],
  ] as const)(
    'is assumed if several sets have it: %s (%s) %s, by the preference %p',
    async (name, label, number, prefer, card_id) => {
      for (const answer of await ofEach(name, label, number, prefer)) {
        expect(answer).toMatchObject({ card_id, certainty: 'assumed' })
      }
    },
  )

  test('is certain if one set has it, although others have the card', async () => {
    for (const answer of await ofEach('Snorlax', 'Prize Pack', '44')) {
      expect(answer).toMatchObject({ card_id: 363, certainty: 'certain' })
    }
  })

  test('is a guess if a set has several of them', async () => {
    const [inColumn, inName] = await ofEach('Rotom', 'Cosmos', '50')
    for (const answer of [inColumn, inName]) {
      expect(answer).toMatchObject({ card_id: 367, certainty: 'guessed' })
      expect(answer).toHaveProperty('alternatives.0', 368)
    }
  })

  test('has a note in a file if it is assumed', async () => {
    const file = new TextEncoder().encode('Name,Number,Printing\nSnorlax,44,Cosmos\n')
    const [row] = await Array.fromAsync(resolveCollection(world, parseCollection(file)))
    expect(row).toMatchObject({ found: { card: { id: 362 }, notes: ['printing_assumed'] } })
  })
})

describe('no set is named by', () => {
  test('a word in capitals that the name of a set has', async () => {
    const answer = { card_id: 301, certainty: 'assumed', line: { set: undefined } }
    expect(await ofName('Pikachu (PROMO)')).toMatchObject(answer)
  })

  test('digits before a number', async () => {
    const [answer] = await resolveNames(world, [{ name: '1 Card Soldier 1 1', game: 'lorcana' }])
    expect(answer).toMatchObject({ card_id: 402, line: { set: undefined } })
    const [row] = await resolveNames(world, [{ name: 'Card Soldier (115)', game: 'lorcana' }])
    expect(row).toMatchObject({ certainty: 'guessed' })
  })

  test('its number among the sets of a game, which a row may name', async () => {
    const row = await ofRow({ name: 'Card Soldier', code: '1', number: '1' })
    expect(row).toMatchObject({ card_id: 402, certainty: 'certain' })
  })
})

describe('a variant that the named set lacks', () => {
  const dawn = 'ROMANCE DAWN [OP-01]'

  test('is a guess, and not its base card', async () => {
    const guess = { card_id: 203, certainty: 'guessed' }
    const name = 'Zeus (Parallel)'
    for (const number of ['OP01-017', undefined]) {
      expect(await ofRow({ name, set: dawn, number })).toMatchObject({
        ...guess,
        notes: ['printing_not_found'],
      })
    }
    expect(await ofName(`${name} OP01-017`, { set: dawn })).toMatchObject(guess)
    expect(await ofName(`${name} OP01-017 [OP01]`)).toMatchObject(guess)
  })

  test('is not a number, although it has digits', async () => {
    const row = { set: 'Unbroken Bonds', number: '290' }
    expect(await ofRow({ name: 'Morpeko V-Union (Set of 4)', ...row })).toMatchObject({
      card_id: 356,
      certainty: 'guessed',
      notes: ['printing_not_found'],
    })
  })

  test('is not taken without the number of its line', async () => {
    expect(await ofName('Nami (Parallel) OP01-017', { set: dawn })).toMatchObject({
      certainty: 'guessed',
    })
    expect(await ofName('Nami (Parallel) OP01-016', { set: dawn })).toMatchObject({
      card_id: 202,
      certainty: 'certain',
    })
  })

  test('is taken from the set of the variant, certainly only with its number', async () => {
    const row = { name: 'Machamp', set: 'Base Set', printing: 'Shadowless' }
    expect(await ofRow(row)).toMatchObject({
      card_id: 341,
      certainty: 'guessed',
      notes: ['not_in_set'],
    })
    expect(await ofRow({ ...row, number: '8' })).toMatchObject({
      card_id: 341,
      certainty: 'certain',
      notes: [],
    })
  })
})
