import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type DocumentSet, listBetween } from '#rules/search/document-sets.ts'
import { evaluateMatch, type Postings } from '#rules/search/evaluate-match.ts'
import { allOf, anyOf, except, type Match, prefix, token } from '#rules/search/match-expressions.ts'
import { openMatchEvaluator } from '#store/catalog/search/search-postings.ts'
import { openDatabase } from '#store/db.ts'

const WORDS = ['a', 'ab', 'abc', 'b', 'say "b"', 'not', ' AND ']
const DOCUMENTS = 3_000
const ALL = { first: 0, last: DOCUMENTS }

/** Words of each document: some in few documents, some in most. */
const documents = Array.from({ length: DOCUMENTS }, (_, at) =>
  WORDS.filter((_, word) => (at * 7 + word * 3) % (2 + word * word) === 0),
)
const listDocuments = (has: (words: readonly string[]) => boolean) =>
  Uint32Array.from(documents.keys().filter((at) => has(documents[at] ?? [])))

const postings: Postings = {
  documents: DOCUMENTS,
  get: (word) => listDocuments((words) => words.includes(word)),
  listBeginningWith: (text) =>
    WORDS.filter((word) => word.startsWith(text)).map((word) =>
      listDocuments((words) => words.includes(word)),
    ),
}

const evaluateSet = (match: Match): DocumentSet => evaluateMatch(match, postings, evaluateSet)

const evaluate = (expression: Match) => {
  const set = evaluateSet(expression)
  return Uint32Array.from(listBetween(set, ALL, { limit: set.count, offset: 0 }))
}

type Case = { expression: Match; fits(words: readonly string[]): boolean }

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
        expression: except(texts[0] ?? token(''), texts.slice(1)),
        fits: (own) => first?.fits(own) === true && !others.some((one) => one.fits(own)),
      }
    }),
}))

describe('an expression in memory', () => {
  test('finds the documents that it describes, in order', () => {
    fc.assert(
      fc.property(one, ({ expression, fits }) => {
        expect([expression.source, evaluate(expression)]).toEqual([
          expression.source,
          listDocuments(fits),
        ])
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

  test('finds the documents that FTS5 finds by its text', () => {
    const db = openDatabase(':memory:')
    db.exec("CREATE VIRTUAL TABLE texts USING fts5(words, tokenize = 'unicode61')")
    const words = ['a', 'ab', 'abc', 'b', 'not', 'and', 'near']
    const put = db.prepare<[number, string]>('INSERT INTO texts (rowid, words) VALUES (?, ?)')
    const own = Array.from({ length: 300 }, (_, at) =>
      words.filter((_, word) => (at * 7 + word * 3) % (2 + word) === 0),
    )
    for (const [at, list] of own.entries()) put.run(at, list.join(' '))
    const find = db
      .prepare<[string], number>('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid')
      .pluck()
    const listOwn = (has: (list: readonly string[]) => boolean) =>
      Uint32Array.from(own.keys().filter((at) => has(own[at] ?? [])))
    const evaluateOwn = openMatchEvaluator({
      documents: own.length,
      get: (word) => listOwn((list) => list.includes(word)),
      listBeginningWith: (text) =>
        words
          .filter((word) => word.startsWith(text))
          .map((word) => listOwn((list) => list.includes(word))),
    })
    const leaf = fc
      .tuple(fc.constantFrom(...words), fc.boolean())
      .map(([text, isBeginning]) => (isBeginning ? prefix(text) : token(text)))
    const { tree } = fc.letrec<{ tree: Match; group: Match }>((tie) => ({
      tree: fc.oneof({ depthSize: 'small' }, leaf, tie('group')),
      group: fc
        .tuple(fc.constantFrom(allOf, anyOf), tie('tree'), tie('tree'), fc.array(tie('tree')))
        .map(([join, one, two, without]) => except(join([one, two]), without.slice(0, 2))),
    }))
    fc.assert(
      fc.property(tree, (match) => {
        const set = evaluateOwn(match)
        const range = { first: 0, last: own.length }
        const found = listBetween(set, range, { limit: set.count, offset: 0 })
        expect([match.source, [...found]]).toEqual([match.source, find.all(match.source)])
      }),
      { numRuns: 500, seed: 5 },
    )
    db.close()
  })
})
