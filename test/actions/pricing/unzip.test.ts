import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isZip, unzipOnlyFile } from '#actions/pricing/unzip.ts'
import { zip } from '../../support/pricing/rate-files.ts'
import { SEED } from '../../support/random.ts'

const TEXT = 'Date,USD,\n'.repeat(500)
const ARCHIVE = zip(TEXT)

describe('an archive', () => {
  test('has its file', () => {
    expect(isZip(ARCHIVE)).toBe(true)
    expect(new TextDecoder().decode(unzipOnlyFile(ARCHIVE, 10_000))).toBe(TEXT)
  })

  test('with a larger file than allowed has none', () => {
    expect(unzipOnlyFile(ARCHIVE, TEXT.length - 1)).toBeUndefined()
  })

  test('that is damaged or cut off has the same file or none', () => {
    const damage = fc.record({
      at: fc.nat(ARCHIVE.length - 1),
      byte: fc.nat(255),
      cut: fc.boolean(),
    })
    fc.assert(
      fc.property(damage, ({ at, byte, cut }) => {
        const bytes = cut ? ARCHIVE.slice(0, at) : Uint8Array.from(ARCHIVE).fill(byte, at, at + 1)
        const file = unzipOnlyFile(bytes, 10_000)
        expect(file === undefined ? TEXT : new TextDecoder().decode(file)).toBe(TEXT)
      }),
      { numRuns: 1_000, seed: SEED },
    )
  })
})
