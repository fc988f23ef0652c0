import { describe, expect, test } from 'bun:test'
import { findLabelProblem, LABEL_PATTERN } from '#rules/primitives/plain-text.ts'

describe('a name', () => {
  test.each([
    'Shop',
    'price sheet (2)',
    '\u05d7\u05e0\u05d5\u05ea',
    '\u0645\u062a\u062c\u0631 1',
    '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u2764\ufe0f',
    '\u845b\u{e0100}',
    'x'.repeat(100),
    '\u{1f0cf}'.repeat(100),
  ])('%p is valid', (name) => expect(findLabelProblem(name)).toBeUndefined())

  const code = (point: number) => [point.toString(16), String.fromCodePoint(point)] as const
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => code(from + index))

  test.each([
    ...range(0, 0x1f),
    ...range(0x7f, 0x9f),
    ...range(0x2028, 0x202e),
    ...range(0x2060, 0x206f),
    ...range(0xfff9, 0xfffb),
    ...[0xad, 0x34f, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x3164, 0xfeff, 0xffa0].map(code),
    ...[0xe0001, 0xe0041, 0xe007f].map(code),
  ])('with U+%s is invalid', (_hex, character) => {
    for (const name of [character, `a${character}b`, `${character}b`, `a${character}`]) {
      expect(findLabelProblem(name)).toContain('must not contain')
    }
  })

  test('that is empty, too long or ill-formed is invalid', () => {
    expect(findLabelProblem('')).toContain('1 to 100')
    expect(findLabelProblem('x'.repeat(101))).toContain('1 to 100')
    expect(findLabelProblem('\ud800')).toContain('must not contain')
  })

  test('is described by a pattern that other programs understand', () => {
    expect(new RegExp(LABEL_PATTERN, 'u').test('Shop \u{1f0cf}')).toBe(true)
    expect(new RegExp(LABEL_PATTERN, 'u').test('Shop\u202e')).toBe(false)
  })
})
