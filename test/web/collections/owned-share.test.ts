import { expect, test } from 'bun:test'
import { roundShare } from '#web/collections/owned/owned-share.ts'

test.each([
  [0, 0],
  [1 / 400, 0.01],
  [0.125, 0.13],
  [0.5, 0.5],
  [399 / 400, 0.99],
  [1, 1],
])('the owned share %d is %d in percent: nothing and all are exact', (share, shown) => {
  expect(roundShare(share)).toBe(shown)
})
