import { describe, expect, test } from 'bun:test'
import {
  acceptReferences,
  formatFingerprint,
  parseFingerprint,
  type ReferenceClaim,
} from '#rules/photos/picture-index/learned-references.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'

/** Creates a claim by another account than all others. @param look number of the card on the photo */
let account = 0
function claim(look: number, facts: Partial<ReferenceClaim> = {}): ReferenceClaim {
  const picture = { vector: scriptedVector(look), hash: new Uint8Array(128).fill(look) }
  account++
  return { ...picture, card_id: 1, account_id: account, isStaff: false, created_at: 0, ...facts }
}

describe('a photo that somebody has named', () => {
  test('is used at once if it was staff', () => {
    const own = claim(1, { isStaff: true })
    expect(acceptReferences([own])).toEqual([own])
  })

  test('is used otherwise once another account has given a similar one of the same card', () => {
    const [first, second] = [claim(1), claim(1)]
    expect(acceptReferences([first])).toEqual([])
    expect(acceptReferences([first, second])).toEqual([first, second])
    // Its withdrawal, such as with its account, takes the agreement with it.
    expect(acceptReferences([second])).toEqual([])
  })

  test('is not confirmed by the same account', () => {
    const account_id = 7
    expect(acceptReferences([claim(1, { account_id }), claim(1, { account_id })])).toEqual([])
  })

  test('is not confirmed by a photo that shows something else', () => {
    expect(acceptReferences([claim(1), claim(2)])).toEqual([])
  })

  test('is confirmed by staff, who are not confirmed by it', () => {
    const [other, staff] = [claim(1), claim(1, { isStaff: true })]
    expect(acceptReferences([other, staff])).toEqual([staff, other])
  })
})

test('a card has at most eight references: those of staff first, then the newest', () => {
  const others = Array.from({ length: 20 }, (_, at) => claim(1, { created_at: at }))
  const staff = claim(2, { isStaff: true, created_at: -1 })
  const times = acceptReferences([...others, staff]).map(({ created_at }) => created_at)
  expect(times).toEqual([-1, 19, 18, 17, 16, 15, 14, 13])
})

test('a fingerprint is read as it was written, by the same embedder only', () => {
  const picture = { vector: scriptedVector(3), hash: new Uint8Array(128).map((_, at) => at) }
  const text = formatFingerprint('0123456789abcdef', picture)
  expect(parseFingerprint(text, '0123456789abcdef')).toEqual(picture)
  expect(parseFingerprint(text, 'fedcba9876543210')).toBeUndefined()
})
