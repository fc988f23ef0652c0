import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { allOf, anyOf, except, prefix, tagged, token } from '#rules/search/match-expressions.ts'

const [a, b, c] = [token('a'), token('b'), token('c')]

describe('an expression', () => {
  test('quotes words, so that none is an operator', () => {
    expect(token('not').source).toBe('"not"')
    expect(prefix('near').source).toBe('"near" *')
    expect(token('a"b').source).toBe('"a""b"')
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), (text) => {
        expect(token(text)).toMatchObject({ kind: 'token', word: text })
        expect(token(text).source).toMatch(/^"(?:[^"]|"")*"$/)
      }),
    )
  })

  test('joins different expressions, in brackets', () => {
    expect(allOf([a, b])).toEqual({ kind: 'all', matches: [a, b], source: '("a" AND "b")' })
    expect(anyOf([a, b])).toEqual({ kind: 'any', matches: [a, b], source: '("a" OR "b")' })
    expect(allOf([a])).toBe(a)
    expect(anyOf([a, token('a')])).toEqual(a)
    expect(except(a, [])).toBe(a)
    expect(except(a, [b, c]).source).toBe('("a" NOT ("b" OR "c"))')
  })

  test('filters by tags, one of each list, and excludes others', () => {
    const tags = { with: [['a'], ['b', 'c']], without: ['d'] }
    expect(tagged(prefix('x'), tags).source).toBe('(("x" * AND "a" AND ("b" OR "c")) NOT "d")')
    expect(tagged(token('x'), { with: [], without: [] }).source).toBe('"x"')
  })
})
