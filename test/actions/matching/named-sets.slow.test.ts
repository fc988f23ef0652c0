// Rows, lines and names whose sets are unclear. The small catalog has real names and invented prices.
import { afterAll, describe, expect, test } from 'bun:test'
import type { NameItem } from '#actions/matching/name-index.ts'
import { parseCollection } from '#actions/matching/parse-collection.ts'
import { resolveCollection } from '#actions/matching/resolve-collection.ts'
import { resolveNames } from '#actions/matching/resolve-names.ts'
import { resolveRows } from '#actions/matching/resolve-rows.ts'
import {
  createSyncWorld,
  createUpstream,
  type NewCard,
} from '../../support/sync/upstream-fixture.ts'

const SETS = [
  [1, { id: 10, name: 'Mirage', abbreviation: 'MIR' }],
  [1, { id: 11, name: 'Mirrodin', abbreviation: 'MRD' }],
  [3, { id: 30, name: 'XY Promos', abbreviation: 'PR' }],
  [3, { id: 31, name: 'Best of Promos', abbreviation: 'PR' }],
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
  30: [
    { id: 301, name: 'Pikachu', number: 'XY95', prices: { Holofoil: 3 } },
    { id: 302, name: 'Venusaur', number: '8', prices: { Holofoil: 7 } },
    { id: 303, name: 'Mew', number: '11', prices: { Holofoil: 5 } },
  ],
  31: [
    { id: 311, name: 'Pikachu', number: '5', prices: { Holofoil: 90 } },
    { id: 312, name: 'Mew', number: '11', prices: { Holofoil: 60 } },
  ],
}

const upstream = createUpstream()
upstream.addGame({ id: 1, name: 'Magic' })
upstream.addGame({ id: 3, name: 'Pokemon' })
for (const [game, set] of SETS) {
  upstream.addSet(game, set)
  for (const card of CARDS[set.id] ?? []) upstream.addCard(set.id, card)
}
upstream.publish()
const world = createSyncWorld(upstream)
await world.sync()
afterAll(() => world.close())

type Cells = Partial<Record<'set' | 'code' | 'number' | 'printing', string | undefined>> & {
  name: string
}

async function ofRow({ name, set, code, number, printing = '' }: Cells) {
  const [answer] = await resolveRows(world, [
    {
      name,
      game: undefined,
      set_code: code ?? null,
      set_name: set ?? null,
      number: number ?? null,
      printing,
    },
  ])
  return answer
}

async function ofName(name: string, parts: Pick<NameItem, 'set' | 'number'> = {}) {
  const [answer] = await resolveNames(world, [{ name, ...parts }])
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
