import { expect, test } from 'bun:test'
import type { Candidate } from '#client/endpoints.ts'
import { showsScores } from '#web/photos/match-reasons.ts'

test.each([
  ['matched', 1, true],
  ['matched', 3, true],
  ['ambiguous', 3, true],
  ['ambiguous', 1, false],
  ['retake', 1, false],
  ['retake', 3, false],
])('scores of a photo that is %s with %i cards are shown: %p', (status, count, isShown) => {
  // Only the number of candidates matters.
  const candidates = Array.from({ length: count }, () => ({}) as Candidate)
  expect(showsScores({ status, candidates })).toBe(isShown)
})
