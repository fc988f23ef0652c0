import { describe, expect, test } from 'bun:test'
import {
  API_KEY_PATTERN,
  generateApiKey,
  hashSecret,
  isApiKey,
  keyPreview,
} from '#rules/accounts/credentials.ts'

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates strings in the format of keys from a fixed seed. */
function* lookalikes(count: number): Generator<string> {
  let state = 12_345
  for (let made = 0; made < count; made++) {
    let text = 'tcg_live_'
    for (let index = 0; index < 38; index++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      text += ALPHABET.charAt((state >>> 16) % 62)
    }
    yield text
  }
}

describe('an API key', () => {
  test('is the prefix and 38 letters and digits, and is recognized', () => {
    for (let made = 0; made < 1_000; made++) {
      const key = generateApiKey(random)
      expect(key).toMatch(API_KEY_PATTERN)
      expect(isApiKey(key)).toBe(true)
    }
  })

  test('is unique', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => generateApiKey(random))).size).toBe(10_000)
  })

  test('differs from 100,000 random strings of its format', () => {
    let passed = 0
    for (const text of lookalikes(100_000)) if (isApiKey(text)) passed++
    expect(passed).toBe(0)
  })

  test('is invalid with one character changed', () => {
    const key = generateApiKey(random)
    for (let at = 0; at < key.length; at++) {
      for (const letter of ALPHABET) {
        if (letter === key[at]) continue
        expect(isApiKey(key.slice(0, at) + letter + key.slice(at + 1))).toBe(false)
      }
    }
  })

  test.each([
    ['empty', () => ''],
    ['cut short', (key: string) => key.slice(0, -1)],
    ['longer', (key: string) => `${key}a`],
    ['with a line end', (key: string) => `${key}\n`],
    ['with a space before it', (key: string) => ` ${key}`],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['of another kind', (key: string) => key.replace('live', 'test')],
    ['with letters of another script', (key: string) => `${key.slice(0, -1)}а`],
  ])('is invalid if it is %s', (_how, changed) => {
    expect(isApiKey(changed(generateApiKey(random)))).toBe(false)
  })

  test('has every character equally often', () => {
    const counts = new Map<string, number>()
    const keys = 20_000
    for (let made = 0; made < keys; made++) {
      for (const letter of generateApiKey(random).slice(9, 41))
        counts.set(letter, (counts.get(letter) ?? 0) + 1)
    }
    expect([...counts.keys()].sort().join('')).toBe([...ALPHABET].sort().join(''))
    const expected = (keys * 32) / 62
    let chi = 0
    for (const count of counts.values()) chi += (count - expected) ** 2 / expected
    // 61 degrees of freedom: a fair draw exceeds 134 about once in ten million.
    expect(chi).toBeLessThan(134)
  })

  test('skips the bytes that would favor some characters', () => {
    const bytes = [255, 254, 253, 252, 251, 250, 249, 248, ...Array.from({ length: 24 }, () => 0)]
    const key = generateApiKey((count) => Uint8Array.from(bytes.slice(0, count)))
    expect(key.slice(9, 41)).toBe('0'.repeat(32))
  })

  test('is stored as its SHA-256, and shown by its beginning and end', () => {
    const key = generateApiKey(random)
    expect(Buffer.from(hashSecret(key)).toString('hex')).toBe(
      new Bun.CryptoHasher('sha256').update(key).digest('hex'),
    )
    expect(hashSecret(key)).toHaveLength(32)
    expect(keyPreview(key)).toEqual({ key_prefix: key.slice(0, 13), last4: key.slice(-4) })
  })
})
