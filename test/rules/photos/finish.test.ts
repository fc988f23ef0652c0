import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { detectFinish, isUnstamped } from '#rules/photos/finish.ts'
import type { PhotoQuality } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import { THRESHOLDS } from '#rules/photos/thresholds.ts'
import { GOOD_QUALITY, printedLine } from '../../support/photos/candidate-fixtures.ts'

const { foilMin, stampMax } = THRESHOLDS.finish
const chance = fc.double({ min: 0, max: 1, noNaN: true })
const surfaces = fc.record({ foilProbability: chance, stampProbability: chance })
const NO_SHAPES = new Set<string>()
const PLAIN = { foilProbability: 0, stampProbability: 0 }

describe('the finish', () => {
  test('is Foil at a high probability, otherwise empty', () => {
    fc.assert(
      fc.property(surfaces, (finish) => {
        expect(detectFinish({ finish })).toBe(finish.foilProbability >= foilMin ? 'Foil' : '')
      }),
    )
    expect(detectFinish({ finish: { foilProbability: foilMin, stampProbability: 1 } })).toBe('Foil')
    expect(detectFinish({ finish: undefined })).toBe('')
  })

  test('is monotonic in the probability', () => {
    fc.assert(
      fc.property(surfaces, chance, (finish, more) => {
        const brighter = { ...finish, foilProbability: Math.max(finish.foilProbability, more) }
        if (detectFinish({ finish }) === 'Foil')
          expect(detectFinish({ finish: brighter })).toBe('Foil')
      }),
    )
  })
})

describe('a card without a stamp', () => {
  test('is reported only at a very low probability', () => {
    fc.assert(
      fc.property(surfaces, (finish) => {
        expect(isUnstamped({ finish, quality: GOOD_QUALITY })).toBe(
          finish.stampProbability <= stampMax,
        )
      }),
    )
  })

  const poor: Partial<PhotoQuality>[] = [
    { glare: 0.2 },
    { is_cut_off: true },
    { px_per_mm: 5.4 },
    { cornerConfidence: 0.5 },
    { blur_mm: 1 },
    { brightness: 20 },
  ]
  test.each(poor)('is not reported for a photo with %o', (fault) => {
    expect(isUnstamped({ finish: PLAIN, quality: { ...GOOD_QUALITY, ...fault } })).toBe(false)
  })

  test('is not reported without quality or finish', () => {
    expect(isUnstamped({ finish: PLAIN, quality: undefined })).toBe(false)
    expect(isUnstamped({ finish: undefined, quality: GOOD_QUALITY })).toBe(false)
  })
})

describe('the fields of a card', () => {
  const stamp = printedLine('1st Edition', { kind: 'other' })
  const foot = printedLine('© 2026', { kind: 'other' })

  test('have a stamp that was read, regardless of the look', () => {
    const context = { kind: 'raw', quality: GOOD_QUALITY, finish: PLAIN } as const
    expect(readFields([stamp], context, NO_SHAPES).stamp).toBe('1st Edition')
    expect(readFields([foot], context, NO_SHAPES).stamp).toBeNull()
  })

  test('have no stamp by look alone', () => {
    fc.assert(
      fc.property(surfaces, (finish) => {
        const { stamp } = readFields(
          [foot],
          { kind: 'raw', quality: GOOD_QUALITY, finish },
          NO_SHAPES,
        )
        expect(stamp === null || stamp === 'unclear').toBe(true)
      }),
    )
  })

  test.each(['back', 'sealed'] as const)('have no finish for a %s', (kind) => {
    const context = {
      kind,
      quality: GOOD_QUALITY,
      finish: { foilProbability: 1, stampProbability: 0 },
    }
    expect(readFields([], context, NO_SHAPES)).toMatchObject({ finish: '', stamp: 'unclear' })
  })

  test('have a finish for raw cards and slabs', () => {
    for (const kind of ['raw', 'graded slab'] as const) {
      const context = {
        kind,
        quality: GOOD_QUALITY,
        finish: { foilProbability: 1, stampProbability: 1 },
      }
      expect(readFields([], context, NO_SHAPES)).toMatchObject({
        finish: 'Foil',
        stamp: 'unclear',
      })
    }
  })
})
