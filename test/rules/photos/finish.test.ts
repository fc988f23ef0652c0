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
  test('is Foil where the card surely shines, and else is not told', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        expect(detectFinish({ finish: surface })).toBe(
          surface.foilProbability >= foilMin ? 'Foil' : '',
        )
      }),
    )
    expect(detectFinish({ finish: { foilProbability: foilMin, stampProbability: 1 } })).toBe('Foil')
    expect(detectFinish({ finish: undefined })).toBe('')
  })

  test('is never taken away by more shine', () => {
    fc.assert(
      fc.property(surfaces, chance, (surface, more) => {
        const brighter = { ...surface, foilProbability: Math.max(surface.foilProbability, more) }
        if (detectFinish({ finish: surface }) === 'Foil')
          expect(detectFinish({ finish: brighter })).toBe('Foil')
      }),
    )
  })
})

describe('a card without a stamp', () => {
  test('is told only where hardly anything looks like one', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        expect(isUnstamped({ finish: surface, quality: GOOD_QUALITY })).toBe(
          surface.stampProbability <= stampMax,
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
  test.each(poor)('is not told of a photo with %o', (fault) => {
    expect(isUnstamped({ finish: PLAIN, quality: { ...GOOD_QUALITY, ...fault } })).toBe(false)
  })

  test('is not told where nothing is known of the photo or of the surface', () => {
    expect(isUnstamped({ finish: PLAIN, quality: undefined })).toBe(false)
    expect(isUnstamped({ finish: undefined, quality: GOOD_QUALITY })).toBe(false)
  })
})

describe('what is told of a card', () => {
  const stamp = printedLine('1st Edition', { kind: 'other' })
  const foot = printedLine('© 2026', { kind: 'other' })

  test('is the stamp whose words were read, however plain it looks', () => {
    const seen = { kind: 'raw', quality: GOOD_QUALITY, finish: PLAIN } as const
    expect(readFields([stamp], seen, NO_SHAPES).stamp).toBe('1st Edition')
    expect(readFields([foot], seen, NO_SHAPES).stamp).toBeNull()
  })

  test('is never a stamp by its look alone', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        const { stamp } = readFields(
          [foot],
          { kind: 'raw', quality: GOOD_QUALITY, finish: surface },
          NO_SHAPES,
        )
        expect(stamp === null || stamp === 'unclear').toBe(true)
      }),
    )
  })

  test.each(['back', 'sealed'] as const)('is nothing of its surface where it is a %s', (kind) => {
    const seen = {
      kind,
      quality: GOOD_QUALITY,
      finish: { foilProbability: 1, stampProbability: 0 },
    }
    expect(readFields([], seen, NO_SHAPES)).toMatchObject({ finish: '', stamp: 'unclear' })
  })

  test('is the finish of a raw card and of one in a slab', () => {
    for (const kind of ['raw', 'graded slab'] as const) {
      const seen = {
        kind,
        quality: GOOD_QUALITY,
        finish: { foilProbability: 1, stampProbability: 1 },
      }
      expect(readFields([], seen, NO_SHAPES)).toMatchObject({
        finish: 'Foil',
        stamp: 'unclear',
      })
    }
  })
})
