import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { createSecretBox } from '#rules/primitives/secret-box.ts'

const SECRET = 'a secret of at least 32 characters'
const box = createSecretBox(SECRET, randomBytes)

test('a sealed text opens again, also in another process with the same secret', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = box.seal(text, context)
      expect(box.open(sealed, context)).toBe(text)
      expect(createSecretBox(SECRET, randomBytes).open(sealed, context)).toBe(text)
    }),
  )
})

test('another secret opens nothing', () => {
  const sealed = box.seal('whsec_a', 'watch 1')
  expect(createSecretBox(`${SECRET}.`, randomBytes).open(sealed, 'watch 1')).toBeUndefined()
})

test('a text does not open in another context', () => {
  const sealed = box.seal('whsec_a', 'watch 1')
  for (const context of ['watch 2', 'watch 11', '']) {
    expect(box.open(sealed, context)).toBeUndefined()
  }
})

test('any flipped bit opens nothing', () => {
  const sealed = box.seal('whsec_a', 'watch 1')
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const flipped = Uint8Array.from(sealed)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(box.open(flipped, 'watch 1')).toBeUndefined()
  }
})

test('truncated bytes open nothing, and do not throw', () => {
  const sealed = box.seal('whsec_a', 'watch 1')
  for (let length = 0; length < sealed.length; length++) {
    expect(box.open(sealed.subarray(0, length), 'watch 1')).toBeUndefined()
    expect(box.open(sealed.subarray(sealed.length - length), 'watch 1')).toBeUndefined()
  }
})

test('the same text is sealed to different bytes each time, none of which reveal it', () => {
  const all = Array.from({ length: 100 }, () => Buffer.from(box.seal('whsec_a', 'watch 1')))
  expect(new Set(all.map((sealed) => sealed.toString('hex'))).size).toBe(100)
  expect(all.filter((sealed) => sealed.includes('whsec_'))).toEqual([])
})
