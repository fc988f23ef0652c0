import { expect, test } from 'bun:test'
import { mustBeChecked, parseAccepted } from '#rules/matching/certainty.ts'

test.each([
  [undefined, ['certain', 'assumed']],
  ['guessed', ['guessed']],
  ['guessed, certain', ['certain', 'guessed']],
])('%p accepts %p', (text, accepted) => expect(parseAccepted(text).join()).toBe(accepted.join()))

test.each(['', 'certain,', 'all'])('%p is refused', (text) => {
  expect(() => parseAccepted(text)).toThrow('"accept" must be')
})

test('rows that are surer than those which are accepted need no check', () => {
  expect(mustBeChecked('guessed', ['certain', 'assumed'])).toBe(true)
  expect(mustBeChecked('assumed', ['certain'])).toBe(true)
  expect(mustBeChecked('certain', ['guessed'])).toBe(false)
  expect(mustBeChecked('certain', ['certain'])).toBe(false)
})
