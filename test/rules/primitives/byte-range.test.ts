import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseByteRange } from '#rules/primitives/byte-range.ts'

describe('of 10,000 bytes (RFC 9110, 14.1.2)', () => {
  test.each([
    ['bytes=0-499', 0, 499],
    ['bytes=500-999', 500, 999],
    ['bytes=-500', 9_500, 9_999],
    ['bytes=9500-', 9_500, 9_999],
    ['bytes=0-0', 0, 0],
    ['bytes=-1', 9_999, 9_999],
    ['bytes=9999-', 9_999, 9_999],
    ['bytes=0-', 0, 9_999],
    ['bytes=9000-123456', 9_000, 9_999],
    ['bytes=-20000', 0, 9_999],
    ['  bytes=5-6  ', 5, 6],
  ])('%p is the part from %i to %i', (header, first, last) => {
    expect(parseByteRange(header, 10_000)).toEqual({ first, last })
  })

  test.each(['bytes=10000-', 'bytes=10000-10001', 'bytes=-0', 'bytes=999999999999999-'])(
    '%p is a part that there is not',
    (header) => expect(parseByteRange(header, 10_000)).toBe('none'),
  )

  test.each([
    null,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=abc',
    'bytes=1-0',
    'bytes=0-0,-1',
    'bytes=500-600,601-999',
    'bytes 0-499/10000',
    'bytes=0 - 499',
    'bytes=+1-2',
    'bytes=1.5-2',
    'items=0-499',
    `bytes=${'9'.repeat(16)}-`,
  ])('%p is ignored', (header) => expect(parseByteRange(header, 10_000)).toBe('whole'))
})

test('an empty file has no ranges', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-5']) {
    expect(parseByteRange(header, 0)).toBe('none')
  }
})

test('a range equals slicing the bytes', () => {
  const bound = fc.option(fc.nat({ max: 40 }), { nil: undefined })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), bound, bound, (bytes, from, to) => {
      fc.pre(from !== undefined || to !== undefined)
      fc.pre(from === undefined || to === undefined || from <= to)
      const wanted =
        from === undefined
          ? bytes.slice(Math.max(0, bytes.length - (to ?? 0)))
          : bytes.slice(from, to === undefined ? undefined : to + 1)
      const range = parseByteRange(`bytes=${from ?? ''}-${to ?? ''}`, bytes.length)
      if (range === 'none' || range === 'whole') {
        expect([range, wanted.length]).toEqual(['none', 0])
        return
      }
      expect(wanted.length).toBeGreaterThan(0)
      expect(bytes.subarray(range.first, range.last + 1)).toEqual(wanted)
    }),
  )
})
