import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { decideStamp, detectFinish } from '#rules/photos/finish.ts'
import { type PhotoQuality, type PhotoReading, UNREAD } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import { THRESHOLDS } from '#rules/photos/thresholds.ts'
import { decideVerdict } from '#rules/photos/verdict.ts'
import {
  candidateCard,
  GOOD_QUALITY,
  photoReading,
  printedLine,
  recognizedText,
} from '../../support/photos/candidate-fixtures.ts'

const { foilMin } = THRESHOLDS.finish
const NO_SHAPES = new Set<string>()

describe('the finish', () => {
  test('is Foil at a high probability, otherwise empty', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (foilProbability) => {
        const finish = detectFinish({ finish: { foilProbability } })
        expect(finish).toBe(foilProbability >= foilMin ? 'Foil' : '')
      }),
    )
    expect(detectFinish({ finish: { foilProbability: foilMin } })).toBe('Foil')
    expect(detectFinish({ finish: undefined })).toBe('')
  })
})

describe('a stamp', () => {
  const other = (text: string, facts = {}) => printedLine(text, { kind: 'other', ...facts })
  const stampOf = (facts: Partial<PhotoReading>, card: Partial<CandidateCard> = {}) =>
    decideStamp(photoReading(facts), [candidateCard(1, card)])

  test('is null on a good photo of a known card that shows none', () => {
    expect(stampOf({})).toBeNull()
    expect(stampOf({ kind: 'graded slab' })).toBeNull()
    expect(stampOf({ print: { ...UNREAD, stamp: 'Prerelease' } })).toBe('Prerelease')
  })

  test('is unclear on an unknown card', () => {
    expect(decideStamp(photoReading(), [])).toBe('unclear')
  })

  test('is unclear on backs and products, and beside other cards', () => {
    expect(stampOf({ kind: 'back' })).toBe('unclear')
    expect(stampOf({ kind: 'sealed' })).toBe('unclear')
    expect(stampOf({ items: 2 })).toBe('unclear')
  })

  const poor: Partial<PhotoQuality>[] = [
    { glare: 0.2 },
    { is_cut_off: true },
    { px_per_mm: 5.4 },
    { cornerConfidence: 0.5 },
    { blur_mm: 1 },
    { brightness: 20 },
  ]
  test.each(poor)('is unclear on a photo with %o', (fault) => {
    expect(stampOf({ quality: { ...GOOD_QUALITY, ...fault } })).toBe('unclear')
  })

  test('is unclear without quality', () => {
    expect(stampOf({ quality: undefined })).toBe('unclear')
  })

  test.each(['1st Edition', 'STAFF', 'PRERELEASE', 'Limited Edition'])(
    'is unclear if the letters of a line may be %p',
    (text) => {
      const ctc = recognizedText(text, 0.6)
      expect(stampOf({ lines: [other(text, { confidence: 0.1, ctc })] })).toBe('unclear')
    },
  )

  test('is null beside a title or rules that contain the words of one', () => {
    const title = printedLine('Staff of the Heron')
    const rules = other('Search your library for a staff card')
    expect(stampOf({ lines: [title, rules] })).toBeNull()
  })

  test.each<Partial<CandidateCard>>([
    { name: 'Heron (Prerelease)' },
    { name: 'Heron [Staff]' },
    { name: 'Heron - 5/20 (Winner Stamped)' },
    { printings: ['1st Edition', 'Unlimited'] },
    { printings: ['Limited'] },
    { set: { id: 1, name: 'Lantern Promos', code: null } },
  ])('is unclear if a candidate is listed with one: %o', (card) => {
    expect(stampOf({}, card)).toBe('unclear')
  })

  test.each<Partial<CandidateCard>>([
    { name: 'First Light' },
    { name: 'Stampede' },
    { set: { id: 1, name: 'Tenth Edition', code: null } },
    { printings: ['Normal', 'Foil', 'Reverse Holofoil'] },
  ])('is null if no candidate is listed with one: %o', (card) => {
    expect(stampOf({}, card)).toBeNull()
  })

  test('is null in the answer for a plain card, whose stamped variant excludes it', () => {
    const neighbors = [1, 2].map((card_id) => ({ card_id, cosine: 0.98, distance: 100 }))
    const stampFor = (name: string) =>
      decideVerdict(
        photoReading({ neighbors }),
        [candidateCard(1), candidateCard(2, { name, art_group: 1 })],
        ['wickerwild'],
      ).read.stamp
    expect(stampFor('Card 1')).toBeNull()
    expect(stampFor('Card 1 (Prerelease)')).toBe('unclear')
  })
})

describe('the fields of a card', () => {
  test('have a stamp that was read', () => {
    const stamp = printedLine('1st Edition', { kind: 'other' })
    const context = { kind: 'raw', quality: GOOD_QUALITY, finish: undefined } as const
    expect(readFields([stamp], context, { shapes: NO_SHAPES }).stamp).toBe('1st Edition')
    expect(readFields([], context, { shapes: NO_SHAPES }).stamp).toBe('unclear')
  })

  test.each(['back', 'sealed'] as const)('have no finish for a %s', (kind) => {
    const context = { kind, quality: GOOD_QUALITY, finish: { foilProbability: 1 } }
    expect(readFields([], context, { shapes: NO_SHAPES })).toMatchObject({
      finish: '',
      stamp: 'unclear',
    })
  })

  test('have a finish for raw cards and slabs', () => {
    for (const kind of ['raw', 'graded slab'] as const) {
      const context = { kind, quality: GOOD_QUALITY, finish: { foilProbability: 1 } }
      expect(readFields([], context, { shapes: NO_SHAPES }).finish).toBe('Foil')
    }
  })
})
