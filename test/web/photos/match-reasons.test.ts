import { expect, test } from 'bun:test'
import type { Candidate, Reading } from '#client/endpoints.ts'
import { likelyCandidate, matchReasons, scoreText, showsScores } from '#web/photos/match-reasons.ts'

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

test('no listed candidate has a score of 0 %', () => {
  expect([0.0022, 0.0099, 0.01, 0.954].map(scoreText)).toEqual([
    'under 1%',
    'under 1%',
    '1%',
    '95%',
  ])
})

test.each([
  ['with a high score and a lead', true, 'ambiguous', [0.91, 0.02]],
  ['alone with a high score', true, 'ambiguous', [0.91]],
  ['with a high score, close to the next', false, 'ambiguous', [0.85, 0.13]],
  ['with a lead, and a low score', false, 'ambiguous', [0.6, 0.01]],
  ['of a photo that should be taken again', false, 'retake', [0.99, 0.001]],
  ['of a photo without candidates', false, 'not_found', []],
])('the first candidate %s is likely: %p', (_, isLikely, status, scores) => {
  const candidates = scores.map((score) => candidate(score))
  expect(likelyCandidate({ status, candidates })).toBe(isLikely ? candidates[0] : undefined)
})

test('a card of another edition is not likely', () => {
  const [own, other] = [candidate(0.95), candidate(0.95, false)]
  expect(likelyCandidate({ status: 'ambiguous', candidates: [own] })).toBe(own)
  expect(likelyCandidate({ status: 'ambiguous', candidates: [other] })).toBeUndefined()
})

test('the first reason of a card that a named photo found is this photo, and of no other card', () => {
  const unread = { readable: { name: false, number: false, set: false } } as Reading
  const textsOf = (reference: boolean) => {
    const match = { number: 'unknown', name: 0, set: 0, edition: true, reference }
    // The reasons read nothing else.
    const reasons = matchReasons({ match, suggested_printing: null } as Candidate, unread)
    return reasons.map(({ text }) => text)
  }
  expect(textsOf(true)).toEqual(['Recognized from a confirmed photo', ...textsOf(false)])
})

/** Returns a candidate with the members that the rule reads. */
function candidate(score: number, edition = true): Candidate {
  return { score, match: { edition } } as Candidate
}
