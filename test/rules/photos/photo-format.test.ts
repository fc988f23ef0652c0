import { expect, test } from 'bun:test'
import { detectPhotoFormat } from '#rules/photos/photo-quality.ts'
import { PHOTO } from '../../support/photos/reader-fixtures.ts'

test.each(['jpeg', 'png', 'webp'] as const)('a %s is detected by its first bytes', (format) => {
  expect(detectPhotoFormat(PHOTO[format])).toBe(format)
})

test('every bit of the signature counts', () => {
  const significantBytes = {
    jpeg: [0, 1, 2],
    png: [0, 1, 2, 3, 4, 5, 6, 7],
    webp: [0, 1, 2, 3, 8, 9, 10, 11],
  }
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (const at of PHOTO[format].keys()) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = PHOTO[format].slice()
        changed[at] = (changed[at] ?? 0) ^ (1 << bit)
        expect(detectPhotoFormat(changed)).toBe(
          significantBytes[format].includes(at) ? undefined : format,
        )
      }
    }
  }
})

test('a truncated signature is not detected', () => {
  for (const [bytes, needed] of [
    [PHOTO.jpeg, 3],
    [PHOTO.png, 8],
    [PHOTO.webp, 12],
  ] as const) {
    for (let length = 0; length < needed; length++) {
      expect(detectPhotoFormat(bytes.slice(0, length))).toBeUndefined()
    }
  }
})
