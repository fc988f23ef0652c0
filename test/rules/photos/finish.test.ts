import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { finishOf, isPlain } from '#rules/photos/finish.ts'
import type { PhotoQuality } from '#rules/photos/photo-reading.ts'
import { printReadingOf } from '#rules/photos/read-fields.ts'
import { THRESHOLDS } from '#rules/photos/thresholds.ts'
import { GOOD, printedLine } from '../../support/photos/candidate-fixtures.ts'

const { foilMin, plainMax } = THRESHOLDS.surface
const chance = fc.double({ min: 0, max: 1, noNaN: true })
const surfaces = fc.record({ foil: chance, stamped: chance })
const NO_SHAPES = new Set<string>()
const PLAIN = { foil: 0, stamped: 0 }

describe('the finish', () => {
  test('is Foil where the card surely shines, and else is not told', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        expect(finishOf({ surface })).toBe(surface.foil >= foilMin ? 'Foil' : '')
      }),
    )
    expect(finishOf({ surface: { foil: foilMin, stamped: 1 } })).toBe('Foil')
    expect(finishOf({ surface: undefined })).toBe('')
  })

  test('is never taken away by more shine', () => {
    fc.assert(
      fc.property(surfaces, chance, (surface, more) => {
        const brighter = { ...surface, foil: Math.max(surface.foil, more) }
        if (finishOf({ surface }) === 'Foil') expect(finishOf({ surface: brighter })).toBe('Foil')
      }),
    )
  })
})

describe('a card without a stamp', () => {
  test('is told only where hardly anything looks like one', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        expect(isPlain({ surface, quality: GOOD })).toBe(surface.stamped <= plainMax)
      }),
    )
  })

  const poor: Partial<PhotoQuality>[] = [
    { glare: 0.2 },
    { is_cut_off: true },
    { px_per_mm: 5.4 },
    { corners: 0.5 },
    { blur_mm: 1 },
    { brightness: 20 },
  ]
  test.each(poor)('is not told of a photo with %o', (fault) => {
    expect(isPlain({ surface: PLAIN, quality: { ...GOOD, ...fault } })).toBe(false)
  })

  test('is not told where nothing is known of the photo or of the surface', () => {
    expect(isPlain({ surface: PLAIN, quality: undefined })).toBe(false)
    expect(isPlain({ surface: undefined, quality: GOOD })).toBe(false)
  })
})

describe('what is told of a card', () => {
  const stamp = printedLine('1st Edition', { kind: 'other' })
  const foot = printedLine('© 2026', { kind: 'other' })

  test('is the stamp whose words were read, however plain it looks', () => {
    const seen = { kind: 'raw', quality: GOOD, surface: PLAIN } as const
    expect(printReadingOf([stamp], seen, NO_SHAPES).stamp).toBe('1st Edition')
    expect(printReadingOf([foot], seen, NO_SHAPES).stamp).toBeNull()
  })

  test('is never a stamp by its look alone', () => {
    fc.assert(
      fc.property(surfaces, (surface) => {
        const { stamp } = printReadingOf([foot], { kind: 'raw', quality: GOOD, surface }, NO_SHAPES)
        expect(stamp === null || stamp === 'unclear').toBe(true)
      }),
    )
  })

  test.each(['back', 'sealed'] as const)('is nothing of its surface where it is a %s', (kind) => {
    const seen = { kind, quality: GOOD, surface: { foil: 1, stamped: 0 } }
    expect(printReadingOf([], seen, NO_SHAPES)).toMatchObject({ finish: '', stamp: 'unclear' })
  })

  test('is the finish of a raw card and of one in a slab', () => {
    for (const kind of ['raw', 'graded slab'] as const) {
      const seen = { kind, quality: GOOD, surface: { foil: 1, stamped: 1 } }
      expect(printReadingOf([], seen, NO_SHAPES)).toMatchObject({
        finish: 'Foil',
        stamp: 'unclear',
      })
    }
  })
})
