import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { listBetween } from '#rules/search/document-sets.ts'
import { openMatchEvaluator } from '#rules/search/evaluate-match.ts'
import { allOf, anyOf, except, prefix, token } from '#rules/search/match-expressions.ts'
import { parseMatch } from '#rules/search/parse-match.ts'
import { anyText } from '../../support/properties.ts'

const WORDS = ['a', 'ab', 'abc', 'b', 'say "b"', 'not', ' AND ']
const DOCUMENTS = 3_000
const ALL = { first: 0, last: DOCUMENTS }

/** Words of each document: some in few documents, some in most. */
const documents = Array.from({ length: DOCUMENTS }, (_, at) =>
  WORDS.filter((_, word) => (at * 7 + word * 3) % (2 + word * word) === 0),
)
const listDocuments = (has: (words: readonly string[]) => boolean) =>
  Uint32Array.from(documents.keys().filter((at) => has(documents[at] ?? [])))

const evaluateSet = openMatchEvaluator({
  documents: DOCUMENTS,
  get: (word) => listDocuments((words) => words.includes(word)),
  listBeginningWith: (text) =>
    WORDS.filter((word) => word.startsWith(text)).map((word) =>
      listDocuments((words) => words.includes(word)),
    ),
})

const evaluate = (expression: string) => {
  const set = evaluateSet(expression)
  return Uint32Array.from(listBetween(set, ALL, { limit: set.count, offset: 0 }))
}

type Case = { expression: string; fits(words: readonly string[]): boolean }

const word = fc.constantFrom(...WORDS)
const { one } = fc.letrec<{ one: Case; leaf: Case; group: Case }>((tie) => ({
  one: fc.oneof({ depthSize: 'small', withCrossShrink: true }, tie('leaf'), tie('group')),
  leaf: fc
    .tuple(word, fc.boolean())
    .map(
      ([text, isBeginning]): Case =>
        isBeginning
          ? { expression: prefix(text), fits: (own) => own.some((one) => one.startsWith(text)) }
          : { expression: token(text), fits: (own) => own.includes(text) },
    ),
  group: fc
    .tuple(
      fc.constantFrom('all', 'any', 'except'),
      fc.array(tie('one'), { minLength: 1, maxLength: 3 }),
    )
    .map(([kind, cases]): Case => {
      const texts = cases.map(({ expression }) => expression)
      const [first, ...others] = cases
      if (kind === 'all')
        return { expression: allOf(texts), fits: (own) => cases.every((one) => one.fits(own)) }
      if (kind === 'any')
        return { expression: anyOf(texts), fits: (own) => cases.some((one) => one.fits(own)) }
      return {
        expression: except(texts[0] ?? '', texts.slice(1)),
        fits: (own) => first?.fits(own) === true && !others.some((one) => one.fits(own)),
      }
    }),
}))

describe('an expression in memory', () => {
  test('finds the documents that it describes, in order', () => {
    fc.assert(
      fc.property(one, ({ expression, fits }) => {
        expect([expression, evaluate(expression)]).toEqual([expression, listDocuments(fits)])
      }),
      { numRuns: 500, seed: 5 },
    )
  })

  test('is not evaluated again after others with as many documents', () => {
    const documents = 200_000
    let reads = 0
    const evaluate = openMatchEvaluator({
      documents,
      get: () => new Uint32Array(0),
      listBeginningWith() {
        reads++
        return [0, 1].map((odd) =>
          Uint32Array.from({ length: documents / 4 }, (_, at) => 2 * at + odd),
        )
      },
    })
    const expressions = Array.from({ length: 40 }, (_, at) => prefix(`word${at}`))
    for (const expression of [...expressions, ...expressions]) evaluate(expression)
    expect(reads).toBe(expressions.length)
  })

  test('any word is read back as it was written', () => {
    fc.assert(
      fc.property(anyText(20), (text) => {
        expect(parseMatch(token(text))).toMatchObject({ kind: 'token', text })
        expect(parseMatch(prefix(text))).toMatchObject({ kind: 'prefix', text })
      }),
    )
  })

  test.each(['', 'a', '"a', '("a"', '("a" AND "b" OR "c")', '("a" NOT "b" NOT "c")', '"a" "b"'])(
    'refuses %p, which no query has',
    (text) => {
      expect(() => parseMatch(text)).toThrow('no full-text expression')
    },
  )
})
