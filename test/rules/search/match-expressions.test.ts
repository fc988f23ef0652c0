import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { allOf, anyOf, except, prefix, tagged, token } from '#rules/search/match-expressions.ts'

describe('an expression', () => {
  test('quotes words, so that none is an operator', () => {
    expect(token('not')).toBe('"not"')
    expect(prefix('near')).toBe('"near" *')
    expect(token('a"b')).toBe('"a""b"')
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        expect(token(text)).toMatch(/^"(?:[^"]|"")*"$/)
      }),
    )
  })

  test('joins different expressions, in brackets', () => {
    expect(allOf(['"a"', '"b"'])).toBe('("a" AND "b")')
    expect(anyOf(['"a"', '"b"'])).toBe('("a" OR "b")')
    expect(allOf(['"a"'])).toBe('"a"')
    expect(anyOf(['"a"', '"a"'])).toBe('"a"')
    expect(except('"a"', [])).toBe('"a"')
    expect(except('"a"', ['"b"', '"c"'])).toBe('("a" NOT ("b" OR "c"))')
  })

  test('filters by tags, one of each list, and excludes others', () => {
    const tags = { with: [['a'], ['b', 'c']], without: ['d'] }
    expect(tagged('"x" *', tags)).toBe('(("x" * AND "a" AND ("b" OR "c")) NOT "d")')
    expect(tagged('"x"', { with: [], without: [] })).toBe('"x"')
  })
})
