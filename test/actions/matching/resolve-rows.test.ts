// Rows of tables, whose names are complete, on the sample catalog.
import { afterAll, describe, expect, test } from 'bun:test'
import { resolveRows } from '#actions/matching/resolve-rows.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()
afterAll(() => testApp.close())

type Cells = {
  name: string
  set?: string
  code?: string
  number?: string
  game?: string
  printing?: string
}

async function resolve({ name, set, code, number, game, printing = '' }: Cells) {
  const [answer] = await resolveRows(testApp.deps, [
    { name, game, set_code: code ?? null, set_name: set ?? null, number: number ?? null, printing },
  ])
  return answer
}

describe('name and set outrank the number', () => {
  test.each(['16', '177', 'U8', 'DDC-49', '355b', 'XY'])(
    'the only card of the name in the set is taken with the number %p',
    async (number) => {
      expect(await resolve({ name: 'Whisht', set: 'Drowned Abbey', number })).toMatchObject({
        card_id: 900305,
        confidence: 'exact',
        notes: ['number_not_found'],
      })
    },
  )

  test('the set is not left for another card of the name with the number', async () => {
    // Whisht is number 8 of The Ninth Library.
    expect(await resolve({ name: 'Whisht', code: 'DAB', number: '8' })).toMatchObject({
      card_id: 900305,
      notes: ['number_not_found'],
    })
  })

  test('the set is not left for another name with the number', async () => {
    expect(await resolve({ name: 'Cindle', set: 'TPP', number: '002/020' })).toMatchObject({
      card_id: 900101,
      notes: ['number_not_found'],
    })
  })

  test('a variant of the name with the number comes before the name alone', async () => {
    const crown = { name: 'Crown of Low Water', set: 'Drowned Abbey' }
    expect(await resolve({ ...crown, number: '17' })).toMatchObject({ card_id: 900317, notes: [] })
    expect(await resolve({ ...crown, number: '15' })).toMatchObject({ card_id: 900315, notes: [] })
    expect(await resolve({ ...crown, number: '99' })).toMatchObject({
      card_id: 900315,
      alternatives: [900317],
      notes: ['number_not_found'],
    })
  })

  test.each([
    ['001.0', 900101],
    ['TPP-001', 900101],
    ['1-Jan', 900101],
    ['1 / 20', 900101],
    ['1a', 900101],
  ])('the number may be written as %p', async (number, card_id) => {
    expect(await resolve({ name: 'Cindle', set: 'TPP', number })).toMatchObject({
      card_id,
      notes: [],
    })
  })
})

describe('a card that the catalog lacks is not another card', () => {
  test.each([
    ['Marginwyrm Hatch', 'the beginning of a name'],
    ['Hatchling', 'the last word of a name'],
    ['Starter Deck', 'the last words of a sealed product'],
    ['Kettlep', 'the beginning of a word'],
    ['Grand Marshal', 'a part of a product and of a card'],
  ])('%p is %s, and no match', async (name) => {
    expect(await resolve({ name })).toEqual({ reason: 'no_match' })
  })

  test('an exact name with another number outranks a longer name with the number', async () => {
    // Marginwyrm Hatchling is number 6.
    expect(await resolve({ name: 'Marginwyrm', set: 'Elsewhere', number: '6' })).toMatchObject({
      card_id: 900205,
      notes: ['set_not_found', 'number_not_found'],
    })
  })

  test.each([
    ['CAFE FAMILIAR', 900117],
    ['lamplight', 900219],
    ['Long Shadow', 900219],
    ['Nobody // Marginwyrm', 900205],
    ['Marginwyrm (Retro Frame)', 900205],
    ['Whisht - 5', 900305],
  ])('%p is found in another form of its name', async (name, card_id) => {
    expect(await resolve({ name })).toMatchObject({ card_id })
  })

  test('a number within the name must fit, unless no card of the name has it', async () => {
    expect(await resolve({ name: 'Whisht - 8' })).toMatchObject({ card_id: 900208, notes: [] })
    expect(await resolve({ name: 'Whisht - 77' })).toMatchObject({ notes: ['number_not_found'] })
  })

  test.each([
    ['Marginwurm', 900205],
    ['Abbess of the Nineth Libary', 900302],
  ])('%p has at most one slip for six letters', async (name, card_id) => {
    expect(await resolve({ name })).toMatchObject({
      card_id,
      confidence: 'medium',
      corrected_name: expect.any(String),
    })
  })

  test.each(['Whist', 'Margunwurm', 'Dribbotuncl'])('%p has too many slips', async (name) => {
    expect(await resolve({ name })).toEqual({ reason: 'no_match' })
  })

  test('a token is not a card of its name', async () => {
    expect(await resolve({ name: 'Whisht', set: 'Elsewhere Tokens' })).toEqual({
      reason: 'no_match',
    })
  })
})

describe('a name that no card has', () => {
  test('is the card with the number of the set, as a name in another language', async () => {
    expect(await resolve({ name: 'Kerzenmotte', code: 'LSN', number: '005/024' })).toMatchObject({
      card_id: 900005,
      confidence: 'medium',
      corrected_name: 'Chandler Moth',
    })
  })

  test('matches nothing if only one of set and number is known', async () => {
    expect(await resolve({ name: 'Kerzenmotte', code: 'LSN' })).toEqual({ reason: 'no_match' })
    expect(await resolve({ name: 'Kerzenmotte', number: '005/024' })).toEqual({
      reason: 'no_match',
    })
  })

  test('does not count if another set has the name', async () => {
    expect(await resolve({ name: 'Whisht', code: 'LSN', number: '006/024' })).toMatchObject({
      card_id: 900305,
      notes: ['not_in_set', 'number_not_found'],
    })
  })
})

describe('the certainty', () => {
  test.each([
    ['certain', { name: 'Cindle', set: 'TPP', number: '1' }],
    ['certain', { name: 'Cindle', set: 'TPP' }],
    ['certain', { name: 'Cindle', number: '001/020' }],
    ['certain', { name: 'Cindle', code: 'TPP', set: 'Another Name of It', number: '1' }],
    ['certain', { name: 'Cindle', set: 'TPP', number: '001.0' }],
    ['certain', { name: 'cafe familiar', set: 'TPP' }],
    ['certain', { name: 'Cindle (Retro Frame)', set: 'TPP', number: '1' }],
    ['certain', { name: 'Long Shadow', code: 'NLB' }],
    ['certain', { name: 'Long Shadow', set: 'Ninth Library' }],
    ['certain', { name: 'Long Shadow', set: 'Library, the Ninth (NLB)' }],
    ['certain', { name: 'Long Shadow', set: '9th Library Set' }],
    ['assumed', { name: 'Cindle' }],
    ['assumed', { name: 'lamplight' }],
    ['guessed', { name: 'Cindle', set: 'TPP', number: '2' }],
    ['guessed', { name: 'Cindle', set: 'TPP', number: '1a' }],
    ['guessed', { name: 'Cindle', set: 'Elsewhere', number: '1' }],
    ['guessed', { name: 'Cindle', set: 'DAB', number: '1' }],
    ['guessed', { name: 'Nobody // Cindle', set: 'TPP' }],
    ['guessed', { name: 'Cindle', number: '77' }],
    ['guessed', { name: 'Cindle (Retro Frame)', set: 'TPP' }],
    ['guessed', { name: 'Cindle', code: 'TPP', set: 'Another Name of It' }],
    ['guessed', { name: 'Marginwurm', code: 'NLB', number: '5' }],
    ['guessed', { name: 'Kerzenmotte', code: 'LSN', number: '5' }],
    ['guessed', { name: 'Cindle', code: 'TPP', set: 'Tidepool Parade: Night Gallery' }],
    ['guessed', { name: 'Cindle', code: 'Parade, Tidepool', set: 'Another Name of It' }],
    ['guessed', { name: 'Long Shadow', set: 'Ninth Library: Night Gallery' }],
    ['guessed', { name: 'Long Shadow', set: 'Ninth Library (DAB)' }],
  ] as const)('is %p for %p', async (certainty, row) => {
    expect(await resolve(row)).toMatchObject({ certainty })
  })
})

describe('a variant that is a product of its own', () => {
  const crown = { name: 'Crown of Low Water', set: 'Drowned Abbey' }

  test.each([
    ['Borderless', 900317],
    ['borderless foil', 900317],
    ['Borderless Frame', 900315],
    ['foil', 900315],
    ['', 900315],
  ])('is taken if the row names %p without a number', async (printing, card_id) => {
    expect(await resolve({ ...crown, printing })).toMatchObject({ card_id })
  })

  test('is certain, whether the column or the name names it', async () => {
    const borderless = { card_id: 900317, certainty: 'certain', notes: [] }
    expect(await resolve({ ...crown, printing: 'Borderless' })).toMatchObject(borderless)
    const inName = { ...crown, name: 'Crown of Low Water [Borderless]' }
    expect(await resolve(inName)).toMatchObject(borderless)
  })

  test('has the number that the row names', async () => {
    expect(await resolve({ ...crown, number: '15', printing: 'Borderless' })).toMatchObject({
      card_id: 900315,
      certainty: 'guessed',
      notes: ['printing_not_found'],
    })
    expect(await resolve({ ...crown, number: '17', printing: 'Borderless' })).toMatchObject({
      card_id: 900317,
      certainty: 'certain',
      printing: '',
    })
  })

  test('is a guess in another set than the one that is named', async () => {
    const row = { name: 'Bramblehart', set: 'Tidepool Parade', printing: 'Golden Hour' }
    expect(await resolve(row)).toMatchObject({ card_id: 900025, certainty: 'guessed' })
  })

  test('leaves the edition that is its printing to be chosen', async () => {
    const row = { name: 'Bramblehart', set: 'Lantern Season', number: '25' }
    expect(await resolve({ ...row, printing: 'Golden Hour 1st Edition' })).toMatchObject({
      card_id: 900025,
      certainty: 'certain',
      printing: '1stedition',
    })
  })

  test('that no card has is a note, and a guess', async () => {
    expect(await resolve({ name: 'Cindle', set: 'TPP', printing: 'Master Ball' })).toMatchObject({
      card_id: 900101,
      certainty: 'guessed',
      notes: ['printing_not_found'],
    })
    expect(await resolve({ name: 'Cindle (High Tide)', set: 'TPP', number: '1' })).toMatchObject({
      card_id: 900101,
      certainty: 'guessed',
      notes: ['printing_not_found'],
    })
  })

  test('is another thing than a finish, without which a card stays certain', async () => {
    const row = { name: 'Cindle', set: 'TPP', number: '1' }
    for (const printing of ['Etched', 'Holo', 'Non-Foil', 'true']) {
      expect(await resolve({ ...row, printing })).toMatchObject({ certainty: 'certain', notes: [] })
    }
  })
})

test('one of two faces is not the other face of another card', async () => {
  expect(await resolve({ name: 'Nobody // Long Shadow' })).toEqual({ reason: 'no_match' })
})

test('a code of several sets means the one that the name means', async () => {
  expect(
    await resolve({ name: 'Whisht', code: 'NLB', set: 'Drowned Abbey', number: '5' }),
  ).toMatchObject({ card_id: 900305, notes: [] })
})

test('rows are answered in their order', async () => {
  const row = { game: undefined, set_code: null, set_name: null, number: null }
  const names = ['Whisht', 'No Such Card', 'Cindle', '_', 'Marginwyrm']
  const answers = await resolveRows(
    testApp.deps,
    names.map((name) => ({ ...row, name })),
  )
  expect(answers.map((one) => ('reason' in one ? one.reason : one.card_id))).toEqual([
    900305,
    'no_match',
    900101,
    'name_too_short',
    900205,
  ])
})
