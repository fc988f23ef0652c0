// Names as people write them in their lists. The small catalog has real names and invented prices; tests add
// expensive cards where they need them.
import { afterAll, describe, expect, test } from 'bun:test'
import type { CardMatch, NameItem, NameMiss } from '#actions/matching/name-index.ts'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import type { Preference } from '#rules/matching/preference.ts'
import { countTurns } from '../../support/event-loop-turns.ts'
import {
  createCatalogUpstream,
  createSyncWorld,
  type NewCard,
} from '../../support/sync/upstream-fixture.ts'
import { createTestApp } from '../../support/test-app.ts'

const SETS = [
  [1, { id: 10, name: 'Apocalypse', abbreviation: 'APC' }],
  [1, { id: 11, name: 'Magic 2010 (M10)', abbreviation: 'M10' }],
  [1, { id: 12, name: 'Alliances', abbreviation: 'ALL' }],
  [1, { id: 13, name: 'Promo', abbreviation: 'PMEI' }],
  [3, { id: 30, name: 'Base Set', abbreviation: 'BS' }],
  [3, { id: 31, name: 'SWSH12: Silver Tempest', abbreviation: 'SWSH12' }],
  [3, { id: 32, name: 'Promo', abbreviation: 'PR' }],
] as const

const CARDS: Record<number, NewCard[]> = {
  10: [{ id: 101, name: 'Fire // Ice', number: '128', prices: { Normal: 2 } }],
  11: [
    { id: 103, name: 'Lightning Bolt', number: '146', prices: { Normal: 2, Foil: 5 } },
    { id: 105, name: 'Island', number: '234', prices: { Normal: 0.2 } },
    { id: 106, name: 'Island', number: '235', prices: { Normal: 0.4 } },
    { id: 107, name: 'Island', number: '236', prices: { Normal: 0.3 } },
  ],
  12: [
    { id: 102, name: "Lim-Dûl's Vault", number: '107', prices: { Normal: 3 } },
    { id: 108, name: 'Lightning Bolt', number: '9', prices: { Normal: 500 } },
    { id: 109, name: 'Island', number: '1', prices: { Normal: 30 } },
    { id: 110, name: 'Island', number: '2', prices: { Normal: null } },
  ],
  13: [{ id: 111, name: 'Sol Ring', number: '7', prices: { Foil: 9 } }],
  30: [
    { id: 301, name: 'Charizard', number: '004/102', prices: { Holofoil: 400 } },
    { id: 304, name: 'Pikachu', number: '58/102', prices: { Normal: 3, '1st Edition': 9 } },
    { id: 307, name: 'Nidoran ♂', number: '55/102', prices: { Normal: 2 } },
    { id: 308, name: 'Nidoran ♀', number: '57/102', prices: { Normal: 1 } },
    { id: 312, name: 'N', number: '101/101', prices: { Normal: 6 } },
  ],
  31: [
    { id: 303, name: 'Shaymin EX', number: '5/195', prices: { Holofoil: 10 } },
    { id: 305, name: 'Pikachu', number: '25/195', prices: { Normal: 1, 'Reverse Holofoil': 2 } },
    { id: 309, name: 'Flabébé', number: '70/195', prices: { Normal: 1 } },
    { id: 310, name: 'Mew', number: '80/195', prices: { Holofoil: 8 } },
    { id: 311, name: 'Mewtwo', number: '81/195', prices: { Holofoil: 30 } },
    { id: 313, name: 'Charizard ex', number: '6/195', prices: { Holofoil: 50 } },
    { id: 316, name: 'リザードン', number: '7/195', prices: { Holofoil: 4 } },
  ],
  32: [
    { id: 302, name: 'Charizard (Prerelease)', number: '4/102', prices: { Holofoil: 900 } },
    { id: 306, name: 'Pikachu - SM197', number: 'SM197', prices: { Holofoil: 20 } },
    { id: 315, name: 'Sol Ring', number: '8', prices: { Normal: 4 } },
  ],
}

const games = [
  { id: 1, name: 'Magic' },
  { id: 3, name: 'Pokemon' },
]
const world = createSyncWorld(createCatalogUpstream({ games, sets: SETS, cards: CARDS }))
await world.sync()
const testApp = await createTestApp()
afterAll(() => {
  world.close()
  testApp.close()
})

type Answer = CardMatch | NameMiss

/** The match without the parts of the line. */
async function resolved(item: NameItem, prefer?: Preference): Promise<Answer> {
  const [answer] = await resolveNames(world, [item], prefer)
  if (answer === undefined) throw new Error('an item has no answer')
  if ('reason' in answer) return answer
  const { line: _, ...match } = answer
  return match
}

/** Resolves by name alone. */
const of = (name: string) => resolved({ name })

describe('a name as people write it', () => {
  test.each([
    ['Shaymin EX', 303],
    ['Shaymin Ex', 303],
    ['shaymin-ex', 303],
    ['SHAYMINEX', 303],
    ['Fire // Ice', 101],
    ['fire/ice', 101],
    ['Fire & Ice', 101],
    ["Lim-Dûl's Vault", 102],
    ['Lim-Dul’s Vault', 102],
    ['lim duls vault', 102],
    ['Flabebe', 309],
    ['Flabe\u0301be\u0301', 309],
    ['Charizard (Prerelease)', 302],
    ['Charizard [Prerelease]', 302],
    ['リザードン', 316],
    ['ﾘｻﾞｰﾄﾞﾝ', 316],
    ['Nidoran ♂', 307],
    ['Nidoran ♀', 308],
    ['nidoran♀', 308],
    ['N', 312],
  ])('%p is exactly a card', async (name, card_id) => {
    expect(await of(name)).toMatchObject({ card_id, confidence: 'exact' })
    expect(await of(name)).not.toHaveProperty('corrected_name')
  })

  test.each([
    ['Fire // Ice (128) [APC]', 101],
    ['Fire // Ice [apc]', 101],
    ['Lightning Bolt [M10]', 103],
    ['Lightning Bolt (Magic 2010)', 103],
    ['Lightning Bolt (Alliances)', 108],
    ['Lightning Bolt (146)', 103],
    ['Lightning Bolt #146', 103],
    ['Island 234', 105],
    ['Island - 234', 105],
    ['Island (#236)', 107],
    ['Island (001)', 109],
    ['Charizard 4/102', 301],
    ['Pikachu 25/195', 305],
    ['Pikachu - 58/102', 304],
    ['Pikachu [Base Set]', 304],
    ['Pikachu (silver-tempest)', 305],
    ['Sol Ring {PMEI}', 111],
  ])('%p is the card of this name that has the text behind it', async (name, card_id) => {
    expect(await of(name)).toEqual({
      card_id,
      confidence: 'exact',
      certainty: 'certain',
      alternatives: expect.any(Array),
    })
  })

  test.each([
    ['Fire', 101, 'high'],
    ['Ice', 101, 'medium'],
    ['Pikachu SM197', 306, 'exact'],
    ['Light', 103, 'high'],
    ['Shaymin', 303, 'high'],
    ['shaym', 303, 'high'],
    ['ning Bo', 103, 'medium'],
    ['vault', 102, 'medium'],
    ['ザード', 316, 'medium'],
  ] as const)('%p is card %i with confidence %s', async (name, card_id, confidence) => {
    expect(await of(name)).toMatchObject({ card_id, confidence })
  })

  test.each([
    ['Shaymn EX', 303, 'Shaymin EX'],
    ['Lihgtning Bolt', 103, 'Lightning Bolt'],
    ['Ligthnign Bolt', 103, 'Lightning Bolt'],
    ['Pikachuu', 305, 'Pikachu'],
    ['Mewtow', 311, 'Mewtwo'],
    ['リザドン', 316, 'リザードン'],
    ['Lihgtning Bolt [M10]', 103, 'Lightning Bolt'],
    ['Lightning Bolt (near mint)', 103, 'Lightning Bolt'],
    ['Lightning Bolt [XYZ]', 103, 'Lightning Bolt'],
    ['Charizard - 77/999', 301, 'Charizard'],
    ['Lihgtning Bolt [XYZ]', 103, 'Lightning Bolt'],
  ])('%p is card %i by its corrected name', async (name, card_id, corrected) => {
    const wanted = { card_id, confidence: 'medium', corrected_name: corrected }
    expect(await of(name)).toMatchObject(wanted)
  })

  test('with another number of digits does not match, unlike with another letter', async () => {
    expect(await of('Island 239')).toMatchObject({ confidence: 'medium', corrected_name: 'Island' })
  })

  test.each([
    ['x', 'name_too_short'],
    ['', 'name_too_short'],
    ['   ', 'name_too_short'],
    ['!', 'name_too_short'],
    ['()', 'no_match'],
    ['!!!!', 'no_match'],
    ['🔥🔥', 'no_match'],
    ['zzzzzz', 'no_match'],
    ['%', 'name_too_short'],
    ["' OR 1=1 --", 'no_match'],
    ['\u0000\u0000\u0000', 'no_match'],
    ['\ud83d', 'name_too_short'],
    ['z'.repeat(10_000), 'no_match'],
    ['🔥'.repeat(5_000), 'no_match'],
    ['z('.repeat(5_000), 'no_match'],
    [' 1'.repeat(5_000), 'no_match'],
  ] as const)('that is unknown has a reason: %.20p', async (name, reason) => {
    expect(await of(name)).toEqual({ reason })
  })

  test('with ten thousand trailing punctuation marks is still found', async () => {
    const wanted = { card_id: 103, confidence: 'medium', corrected_name: 'Lightning Bolt' }
    expect(await of(`Lightning Bolt (${'x'.repeat(10_000)})`)).toMatchObject(wanted)
    expect(await of('Lightning Bolt (a) (b) (c) [d]')).toMatchObject(wanted)
  })
})

describe('several cards of a name', () => {
  test('the cheapest regular printing is the match, and the next three are alternatives', async () => {
    expect(await resolved({ name: 'Island', game: 'magic' })).toEqual({
      card_id: 105,
      confidence: 'exact',
      certainty: 'assumed',
      alternatives: [107, 106, 109],
    })
  })

  test('a promo is only taken if no card is ordinary', async () => {
    expect(await of('Sol Ring')).toMatchObject({ card_id: 315, alternatives: [111] })
    expect(await resolved({ name: 'Sol Ring' }, 'highest')).toMatchObject({ card_id: 111 })
    expect(await of('Charizard')).toMatchObject({ card_id: 301 })
  })

  test('an exact name outranks a cheaper one with additions', async () => {
    expect(await of('Pikachu')).toMatchObject({ card_id: 305, confidence: 'exact' })
    expect(await resolved({ name: 'Pikachu', game: 'pokemon' }, 'cheapest')).toMatchObject({
      card_id: 305,
      alternatives: [304, 306],
    })
  })

  test('the most expensive card is the match if the highest price is preferred', async () => {
    expect(await resolved({ name: 'Island', game: 'magic' }, 'highest')).toEqual({
      card_id: 109,
      confidence: 'exact',
      certainty: 'assumed',
      alternatives: [106, 107, 105],
    })
  })

  test('the alternatives continue with the same printed name, and never include the match', async () => {
    const answer = await resolved({ name: 'Charizard' })
    expect(answer).toMatchObject({ card_id: 301, confidence: 'exact', alternatives: [302] })
    expect(await of('Lightning Bolt')).toMatchObject({ card_id: 103, alternatives: [108] })
  })

  test('a given set takes precedence over the price', async () => {
    expect(await resolved({ name: 'Lightning Bolt', set: 'M10' })).toEqual({
      card_id: 103,
      confidence: 'exact',
      certainty: 'certain',
      alternatives: [],
    })
  })

  test('of several cards in a given set, the preferred one is assumed', async () => {
    const island = { name: 'Island', set: 'M10' }
    const assumed = { confidence: 'exact', certainty: 'assumed' }
    expect(await resolved(island)).toMatchObject({
      ...assumed,
      card_id: 105,
      alternatives: [107, 106],
    })
    expect(await resolved(island, 'highest')).toMatchObject({
      ...assumed,
      card_id: 106,
      alternatives: [107, 105],
    })
    expect(await of('Island M10')).toMatchObject({ ...assumed, card_id: 105 })
    expect(await of('Island M10 236')).toMatchObject({ card_id: 107, certainty: 'certain' })
  })

  test('a given number and printing take precedence over the price', async () => {
    const island = (more: Partial<NameItem>) => resolved({ name: 'Island', ...more })
    expect(await island({ number: '234' })).toMatchObject({ card_id: 105, alternatives: [] })
    expect(await island({ number: '0234' })).toMatchObject({ card_id: 105 })
    const pikachu = (more: Partial<NameItem>) => resolved({ name: 'Pikachu', ...more })
    expect(await pikachu({ printing: 'Reverse Holofoil' })).toMatchObject({ card_id: 305 })
    expect(await pikachu({ printing: '1st edition' })).toMatchObject({ card_id: 304 })
    expect(await pikachu({ number: '25' })).toMatchObject({ card_id: 305, confidence: 'exact' })
    const bolt = (more: Partial<NameItem>) => resolved({ name: 'Lightning Bolt', ...more })
    expect(await bolt({ printing: 'foil' })).toMatchObject({ card_id: 103 })
    expect(await bolt({ printing: 'non-foil' })).toMatchObject({
      card_id: 103,
      alternatives: [108],
    })
    expect(await bolt({ printing: 'foil', number: '9' })).toEqual({ reason: 'no_match' })
  })

  test('a number also selects the card for a prefix and a misspelled name', async () => {
    const char = await resolved({ name: 'Char', number: '6' })
    expect(char).toMatchObject({ card_id: 313, confidence: 'high' })
    const wrong = await resolved({ name: 'Pikachuu', number: '25/195' })
    expect(wrong).toMatchObject({ card_id: 305, corrected_name: 'Pikachu' })
  })

  test('two games may have the name, and both are returned', async () => {
    expect(await of('Sol Ring')).toMatchObject({ card_id: 315, alternatives: [111] })
    expect(await resolved({ name: 'Sol Ring', game: 'pokemon' })).toMatchObject({
      card_id: 315,
      alternatives: [],
    })
  })
})

describe('a set', () => {
  test.each([
    ['swsh12-silver-tempest'],
    ['SWSH12'],
    ['swsh12'],
    ['SWSH12: Silver Tempest'],
    ['Silver Tempest'],
    ['silver tempest'],
    [' Silver-Tempest '],
  ])('may be named %p', async (set) => {
    expect(await resolved({ name: 'Pikachu', set })).toMatchObject({
      card_id: 305,
      confidence: 'exact',
    })
  })

  test('that two games have means both of them, unless the game is given', async () => {
    expect(await resolved({ name: 'Sol Ring', set: 'Promo' })).toMatchObject({
      card_id: 315,
      certainty: 'guessed',
      alternatives: [111],
    })
    expect(await resolved({ name: 'Sol Ring', set: 'promo', game: 'pokemon' })).toMatchObject({
      card_id: 315,
      alternatives: [],
    })
  })

  test('limits every step of the search', async () => {
    const inTempest = (name: string) => resolved({ name, set: 'SWSH12' })
    expect(await inTempest('Flabebe')).toMatchObject({ card_id: 309, confidence: 'exact' })
    expect(await inTempest('Mewt')).toMatchObject({ card_id: 311, confidence: 'high' })
    expect(await inTempest('ewtw')).toMatchObject({ card_id: 311, confidence: 'medium' })
    expect(await inTempest('Mewtow')).toMatchObject({ card_id: 311, corrected_name: 'Mewtwo' })
    expect(await inTempest('Shaymin (5)')).toMatchObject({ card_id: 303, confidence: 'high' })
    expect(await inTempest('Island')).toEqual({ reason: 'no_match' })
  })

  test('or game that is unknown is reported, the game first', async () => {
    const bolt = { name: 'Lightning Bolt' }
    expect(await resolved({ ...bolt, game: 'chess' })).toEqual({ reason: 'game_not_found' })
    expect(await resolved({ ...bolt, set: 'XYZ' })).toEqual({ reason: 'set_not_found' })
    expect(await resolved({ ...bolt, set: '' })).toEqual({ reason: 'set_not_found' })
    expect(await resolved({ ...bolt, set: '10' })).toEqual({ reason: 'set_not_found' })
    expect(await resolved({ ...bolt, set: 'M10', game: 'pokemon' })).toEqual({
      reason: 'set_not_found',
    })
    expect(await resolved({ ...bolt, set: 'XYZ', game: 'chess' })).toEqual({
      reason: 'game_not_found',
    })
    expect(await resolved({ name: 'Charizard', game: 'magic' })).toEqual({ reason: 'no_match' })
  })
})

/** Items of all kinds on the sample catalog: exact, misspelled, partial, with marks, sets, and unknown. */
function manyItems(): NameItem[] {
  const names = testApp.catalogDb
    .prepare<[], string>('SELECT name FROM cards ORDER BY id')
    .pluck()
    .all()
  return Array.from({ length: 1_000 }, (_, at): NameItem => {
    const name = names[at % names.length] ?? ''
    const kinds: NameItem[] = [
      { name },
      { name: name.slice(0, 3) + name.slice(4) },
      { name: name.slice(2) },
      { name: `${name} (${at}) [LSN]` },
      { name, set: 'Lantern Season' },
      { name: name.slice(0, 4), number: '2' },
      { name: 'nobody at all', game: 'wickerwild' },
      { name: `${name} ${'x'.repeat(at)}` },
      { name, set: 'nowhere' },
    ]
    return kinds[at % kinds.length] ?? { name }
  })
}

describe('a thousand items', () => {
  test('are answered in order, each as if it were alone', async () => {
    const items = manyItems()
    const together = await resolveNames(testApp.deps, items)
    expect(together).toHaveLength(items.length)
    for (let at = 0; at < items.length; at += 37) {
      expect(await resolveNames(testApp.deps, items.slice(at, at + 1))).toEqual(
        together.slice(at, at + 1),
      )
    }
    const backwards = await resolveNames(testApp.deps, items.toReversed())
    expect(backwards.toReversed()).toEqual(together)
  })

  test('that are equal have equal results', async () => {
    const items = Array.from({ length: 1_000 }, () => ({ name: 'Pikachuu (25/195) [nowhere]' }))
    const answers = await resolveNames(world, items)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ corrected_name: 'Pikachu' })
  })

  test('do not block other tasks', async () => {
    const items = manyItems()
    const { turns, cpuMs } = await countTurns(resolveNames(testApp.deps, items))
    expect(turns).toBeGreaterThanOrEqual(Math.floor(cpuMs / 40))
  })

  test('read a name once that many of them have', async () => {
    const { catalog } = world
    const read: string[] = []
    const findExact: typeof catalog.names.findExact = (names, game) => {
      read.push(...names)
      return catalog.names.findExact(names, game)
    }
    const spied = { ...catalog, names: { ...catalog.names, findExact } }
    const items = ['234', '235', '236'].map((number) => ({ name: 'Island', number }))
    const answers = await resolveNames({ catalog: spied }, items)
    expect(answers).toMatchObject([105, 106, 107].map((card_id) => ({ card_id })))
    expect(read).toEqual(['island'])
  })

  test('may be empty', async () => {
    expect(await resolveNames(world, [])).toEqual([])
  })
})
