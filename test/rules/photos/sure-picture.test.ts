import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import type { Neighbor, PhotoReading } from '#rules/photos/photo-reading.ts'
import { decideVerdict } from '#rules/photos/verdict.ts'
import {
  candidateCard,
  GOOD_QUALITY,
  photoReading,
  printedLine,
  printOf,
  unsureLine,
} from '../../support/photos/candidate-fixtures.ts'

const sure: Neighbor = { card_id: 1, cosine: 0.96, distance: 150 }

const judge = (reading: PhotoReading, cards: readonly CandidateCard[]) =>
  decideVerdict(reading, cards, ['wickerwild'])

function firstOf(facts: Partial<PhotoReading>, cards: readonly CandidateCard[]) {
  const { status, candidates } = judge(photoReading({ neighbors: [sure], ...facts }), cards)
  return [status, candidates[0]?.card.id]
}

/** Lines read with low confidence. */
const unsure = (text: string, kind: 'name' | 'number', probability = 0.6) =>
  unsureLine(text, { confidence: 0.3, kind }, probability)

describe('a sure picture', () => {
  test.each([
    ['0176', '017'],
    ['16/108', '6/108'],
    ['236/167', '236/'],
  ])('keeps the card %s if only %s was read of its number', (number, read) => {
    const print = printOf({ number: read })
    expect(firstOf({ print }, [candidateCard(1, { number })])).toEqual(['matched', 1])
  })

  test('does not keep the card if another one of its name has exactly the number', () => {
    const cards = [
      candidateCard(1, { number: '0176', name: 'Twin' }),
      candidateCard(2, { number: '017', name: 'Twin', art_group: null }),
    ]
    expect(firstOf({ print: printOf({ number: '017', name: 'Twin' }) }, cards)[1]).toBe(2)
  })

  test('does not keep the card if another number was read', () => {
    expect(firstOf({ print: printOf({ number: '99/200' }) }, [candidateCard(1)])[0]).toBe(
      'not_found',
    )
  })

  test.each([
    ['Trial of Agony', 'Trial of Ago'],
    ['Cynical Loner', 'ynical Loner'],
    ['Mountain', 'ountain'],
    ['Nidoran', 'Nidorand'],
    ['Trial of Agony', 'Trial of'],
  ])('of %s matches if its name was read as %s', (name, read) => {
    const print = printOf({ name: read })
    expect(firstOf({ print }, [candidateCard(1, { name })])).toEqual(['matched', 1])
  })

  test('beyond doubt outranks the printed name, and says so', () => {
    const print = printOf({ name: 'Godzilla, King of the Monsters' })
    const cards = [
      candidateCard(1, { name: 'Zilortha, Strength Incarnate' }),
      candidateCard(2, { name: 'Godzilla, King of the Monsters', art_group: null }),
    ]
    const { status, candidates, warnings } = judge(
      photoReading({ print, neighbors: [sure] }),
      cards,
    )
    expect([status, candidates[0]?.card.id]).toEqual(['matched', 1])
    expect(warnings).toEqual([
      'The name Godzilla, King of the Monsters was read, but the catalog names this card Zilortha, Strength Incarnate.',
    ])
    for (const doubtful of [{ cosine: 0.84 }, { distance: 210 }]) {
      const neighbors = [{ ...sure, ...doubtful }]
      expect(firstOf({ print, neighbors }, cards)[0]).toBe('ambiguous')
    }
  })

  const foreign = [1, 2, 3].map(() =>
    printedLine('', { script: 'japanese', kind: 'other', confidence: 0.9 }),
  )

  test('keeps the card whose sideways rules look Japanese', () => {
    const print = printOf({ language: 'Japanese' })
    const cards = [candidateCard(1, { name: 'Grand Entryway' })]
    const named = [...foreign, unsure('Grand Entryway', 'name', 0.8)]
    expect(firstOf({ print, lines: named }, cards)).toEqual(['matched', 1])
    expect(firstOf({ print, lines: foreign }, cards)).toEqual(['ambiguous', 1])
    const far = { ...sure, cosine: 0.7, distance: 330 }
    expect(firstOf({ print, lines: foreign, neighbors: [far] }, cards)[0]).toBe('unsupported')
  })

  test.each([
    ['Tidewater T2 39', '39', 'matched'],
    ['Tidewater 039', '039/120', 'matched'],
    ['Tidewater', '39', 'ambiguous'],
    ['Tidewater Stag 39', '39', 'ambiguous'],
    ['Promo', null, 'ambiguous'],
  ] as const)(
    'of %p with the number %p against another name is %p: only set and number are no name',
    (name, number, status) => {
      const set = { id: 3, name: 'Tidewater Promo', code: 'T2' }
      const facts = {
        print: printOf({ name: 'Quarry Heron' }),
        neighbors: [{ ...sure, distance: 250 }],
      }
      expect(firstOf(facts, [candidateCard(1, { name, number, set })])).toEqual([status, 1])
    },
  )

  test('needs less lead of the vector if it leads in the hash, too', () => {
    const cards = [candidateCard(1), candidateCard(2)]
    const beside = (cosine: number, distance: number | undefined) =>
      firstOf({ neighbors: [sure, { card_id: 2, cosine, distance }] }, cards)
    expect(beside(0.87, 250)).toEqual(['matched', 1])
    expect([beside(0.87, 240), beside(0.89, 250)]).toEqual([
      ['ambiguous', 1],
      ['ambiguous', 1],
    ])
    // Without a hash of the other picture, nothing leads.
    expect(beside(0.87, undefined)).toEqual(['ambiguous', 1])
    expect(beside(0.6, undefined)).toEqual(['matched', 1])
  })

  test('makes a back in the dark the face that it is', () => {
    const dark = { ...GOOD_QUALITY, brightness: 29 }
    const back = photoReading({ kind: 'back', quality: dark, neighbors: [sure] })
    const verdict = judge(back, [candidateCard(1)])
    expect(verdict).toMatchObject({ status: 'matched', read: { kind: 'raw' } })
  })

  test('outweighs covered print', () => {
    const lines = [unsure('Something Else', 'name'), unsure('155/999', 'number')]
    expect(firstOf({ lines }, [candidateCard(1, { name: 'Lamplight' })])).toEqual(['matched', 1])
  })

  test('has no limit of the distance at one bit', () => {
    const near = (distance: number) => ({ card_id: 1, cosine: 0.78, distance })
    for (const distance of [380, 382, 388]) {
      expect(firstOf({ neighbors: [near(distance)] }, [candidateCard(1)])[1]).toBe(1)
    }
  })
})

describe('cards without a picture', () => {
  const namesake = (id: number, facts: Partial<CandidateCard> = {}) =>
    candidateCard(id, { name: 'Card 1', art_group: null, ...facts })

  test('never tie with the card of the picture', () => {
    const cards = [candidateCard(1), namesake(2), namesake(3, { number: null })]
    const { candidates } = judge(photoReading({ neighbors: [sure] }), cards)
    const [best = 0, next = 0] = candidates.map(({ score }) => score)
    expect(candidates[0]?.card.id).toBe(1)
    expect(best).toBeGreaterThan(5 * next)
  })

  test('are excluded by the letters of the number', () => {
    const lines = [unsure('1/200', 'number', 0.9)]
    expect(firstOf({ lines }, [candidateCard(1), namesake(2, { number: '77/130' })])).toEqual([
      'matched',
      1,
    ])
  })

  test('without a number are excluded by a number that was read', () => {
    const cards = [candidateCard(1), namesake(2, { number: null })]
    expect(firstOf({ print: printOf({ number: '1/200' }) }, cards)).toEqual(['matched', 1])
    expect(firstOf({}, cards)).toEqual(['ambiguous', 1])
  })

  test('never replace the first candidate of a sure picture, however many there are', () => {
    const others = fc.array(
      fc.record({
        name: fc.constantFrom('Card 1', 'Card 2', 'Other'),
        number: fc.constantFrom(null, '1/200', '7', '88/102'),
        release_date: fc.constantFrom(null, '1999-01-09', '2026-11-01'),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(others, (facts) => {
        const unseen = facts.map((of, at) =>
          candidateCard(at + 2, { ...of, clean_name: of.name, art_group: null }),
        )
        expect(firstOf({}, [...unseen, candidateCard(1)])[1]).toBe(1)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the message', () => {
  const messageOf = (facts: Partial<PhotoReading>, cards: readonly CandidateCard[]) =>
    judge(photoReading(facts), cards).message
  const twins = (second: Partial<CandidateCard>) => [
    candidateCard(1),
    candidateCard(2, { name: 'Card 1', number: '1/200', art_group: 1, ...second }),
  ]
  const both = [sure, { ...sure, card_id: 2 }]
  const set = { id: 2, name: 'Dusk Harvest', code: 'DSH' }

  test.each([
    [{ number: '2/200' }, 'Same art. Only the number differs, and it could not be read.'],
    [{ set }, 'Same art. Only the set differs, and it could not be read.'],
    [
      { name: 'Card 1 (Prerelease)' },
      'Same art. Only the edition differs, and it could not be read.',
    ],
    [{ set, number: '7' }, 'Same art. The set and number differ, and could not be read.'],
    [{}, 'Same art. The photo does not show how they differ.'],
  ])('of cards of one art that differ in %j states the difference', (second, message) => {
    expect(messageOf({ neighbors: both }, twins(second))).toBe(message)
  })

  test('of namesakes and of different cards says what to compare', () => {
    const unseen = [1, 2].map((id) => candidateCard(id, { name: 'Twin', set, art_group: null }))
    const print = printOf({ name: 'Twin' })
    expect(messageOf({ print }, unseen)).toBe(
      'Same name. Only the number differs, and it could not be read.',
    )
    expect(messageOf({ neighbors: both }, [candidateCard(1), candidateCard(2)])).toBe(
      'Several cards are similar. Compare their pictures and names.',
    )
  })

  test('of a single card says where it differs', () => {
    const print = printOf({ name: 'Somebody Else' })
    expect(messageOf({ print, neighbors: [{ ...sure, distance: 250 }] }, [candidateCard(1)])).toBe(
      'The name Somebody Else was read, but this card is Card 1.',
    )
  })

  test.each([
    [{ name: 'Chasm Skulker' }, /^The name Chasm Skulker was read, but no card in the catalog/],
    [{ number: '012/198' }, /^The number 012\/198 was read, but no card in the catalog matches/],
    [{ name: 'Zzyzx', number: '7/9' }, /^The name Zzyzx and the number 7\/9 were read, but no/],
    [{}, /^Neither a name nor a number could be read, and/],
  ])('of not_found for %j says what was read', (read, message) => {
    expect(messageOf({ print: printOf(read) }, [])).toMatch(message)
  })

  test('of unsupported names the language or the game', () => {
    const print = printOf({ language: 'German' })
    expect(messageOf({ print, neighbors: [sure] }, [candidateCard(1)])).toMatch(/\(German\)/)
    const lines = [printedLine('©2023 Konami', { kind: 'other' })]
    expect(messageOf({ lines }, [])).toMatch(/\(yugioh\)/)
  })
})

test('match states the letters that found a card', () => {
  const lines = [unsure('Lamplight', 'name', 0.9), unsure('017/200', 'number', 0.9)]
  const unseen = (id: number, number: string) =>
    candidateCard(id, { name: 'Lamplight', number, art_group: null })
  const { candidates } = judge(photoReading({ lines }), [unseen(1, '017/200'), unseen(2, '44/99')])
  expect(candidates.map(({ card, match }) => [card.id, match.number])).toEqual([
    [1, 'exact'],
    [2, 'unknown'],
  ])
  for (const { match } of candidates) expect(match.name).toBeGreaterThan(0.8)
})
