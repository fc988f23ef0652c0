import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Zip, ZipPassThrough, zipSync } from 'fflate'
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

  test('that was written as a stream has its file, also if the file contains the signatures of archives', () => {
    const text = ['PK\x03\x04', 'PK\x07\x08', 'PK\x01\x02', 'PK\x05\x06', TEXT].join('Date,')
    const file = unzipOnlyFile(zipStream(text), 10_000)
    expect(new TextDecoder().decode(file)).toBe(text)
  })

  test('that is damaged or cut off yields the same file or no file', () => {
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

/** Writes the sizes after the data. */
function zipStream(text: string): Uint8Array {
  const chunks: Uint8Array[] = []
  const archive = new Zip((_, chunk) => void chunks.push(chunk))
  const file = new ZipPassThrough('rates.csv')
  archive.add(file)
  file.push(new TextEncoder().encode(text), true)
  archive.end()
  return Buffer.concat(chunks)
}

/** Text in the archives below, which were written by Python's zipfile. */
const FOREIGN_TEXT = 'Date,USD,\n2026-11-26,1.0321,\n'

const READABLE = {
  deflated:
    'UEsDBBQAAAAIAACAel35CoOSHwAAAB0AAAANAAAAZXVyb2Z4cmVmLmNzdnNJLEnVCQ120eEyMjAy0zU01DUy0zHUMzA2MtThAgBQSwECFAMUAAAACAAAgHpd+QqDkh8AAAAdAAAADQAAAAAAAAAAAAAAgAEAAAAAZXVyb2Z4cmVmLmNzdlBLBQYAAAAAAQABADsAAABKAAAAAAA=',
  stored:
    'UEsDBBQAAAAAAACAel35CoOSHQAAAB0AAAANAAAAZXVyb2Z4cmVmLmNzdkRhdGUsVVNELAoyMDI2LTExLTI2LDEuMDMyMSwKUEsBAhQDFAAAAAAAAIB6XfkKg5IdAAAAHQAAAA0AAAAAAAAAAAAAAIABAAAAAGV1cm9meHJlZi5jc3ZQSwUGAAAAAAEAAQA7AAAASAAAAAAA',
  'deflated into a stream':
    'UEsDBBQACAAIAACAel0AAAAAAAAAAAAAAAANAAAAZXVyb2Z4cmVmLmNzdnNJLEnVCQ120eEyMjAy0zU01DUy0zHUMzA2MtThAgBQSwcI+QqDkh8AAAAdAAAAUEsBAhQDFAAIAAgAAIB6XfkKg5IfAAAAHQAAAA0AAAAAAAAAAAAAAIABAAAAAGV1cm9meHJlZi5jc3ZQSwUGAAAAAAEAAQA7AAAAWgAAAAAA',
  'stored in a stream':
    'UEsDBBQACAAAAACAel0AAAAAAAAAAAAAAAANAAAAZXVyb2Z4cmVmLmNzdkRhdGUsVVNELAoyMDI2LTExLTI2LDEuMDMyMSwKUEsHCPkKg5IdAAAAHQAAAFBLAQIUAxQACAAAAACAel35CoOSHQAAAB0AAAANAAAAAAAAAAAAAACAAQAAAABldXJvZnhyZWYuY3N2UEsFBgAAAAABAAEAOwAAAFgAAAAAAA==',
  'in Zip64':
    'UEsDBC0ACAAIAAAAIQAAAAAA//////////8NABQAZXVyb2Z4cmVmLmNzdgEAEAAAAAAAAAAAAAAAAAAAAAAAc0ksSdUJDXbR4TIyMDLTNTTUNTLTMdQzMDYy1OECAFBLBwj5CoOSHwAAAAAAAAAdAAAAAAAAAFBLAQItAy0ACAAIAAAAIQD5CoOSHwAAAB0AAAANAAAAAAAAAAAAAACAAQAAAABldXJvZnhyZWYuY3N2UEsFBgAAAAABAAEAOwAAAHYAAAAAAA==',
}

const UNREADABLE = {
  'of two files':
    'UEsDBBQAAAAIAMl2el35CoOSHwAAAB0AAAABAAAAYXNJLEnVCQ120eEyMjAy0zU01DUy0zHUMzA2MtThAgBQSwMEFAAAAAgAyXZ6XfkKg5IfAAAAHQAAAAEAAABic0ksSdUJDXbR4TIyMDLTNTTUNTLTMdQzMDYy1OECAFBLAQIUAxQAAAAIAMl2el35CoOSHwAAAB0AAAABAAAAAAAAAAAAAACAAQAAAABhUEsBAhQDFAAAAAgAyXZ6XfkKg5IfAAAAHQAAAAEAAAAAAAAAAAAAAIABPgAAAGJQSwUGAAAAAAIAAgBeAAAAfAAAAAAA',
  'of no file': 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==',
  'compressed by LZMA':
    'UEsDBD8AAgAOAMl2el35CoOSMAAAAB0AAAABAAAAYQkEBQBdAACAAAAiGEqGZPsqbK7UYxWdqXbcyxlU3p+YSZu02/Az8Jei5Y//+5NAAFBLAQI/Az8AAgAOAMl2el35CoOSMAAAAB0AAAABAAAAAAAAAAAAAACAAQAAAABhUEsFBgAAAAABAAEALwAAAE8AAAAAAA==',
  'that is encrypted':
    'UEsDBBQAAQAIAAAAAAD5CoOSKwAAAB0AAAANAAAAZXVyb2Z4cmVmLmNzdsiIwr8N46QD9BUyS3oIguwAoQ+p3kUwiqZE3HbMdvuXCsFdZm7epiBJ87dQSwECFAAUAAEACAAAAAAA+QqDkisAAAAdAAAADQAAAAAAAAAAAAAAAAAAAAAAZXVyb2Z4cmVmLmNzdlBLBQYAAAAAAQABADsAAABWAAAAAAA=',
}

describe('an archive of another program', () => {
  test.each(Object.entries(READABLE))('that is %s has its file', (_, base64) => {
    const file = unzipOnlyFile(Buffer.from(base64, 'base64'), 1_000)
    expect(new TextDecoder().decode(file)).toBe(FOREIGN_TEXT)
  })

  test.each(Object.entries(UNREADABLE))('%s has no file', (_, base64) => {
    expect(unzipOnlyFile(Buffer.from(base64, 'base64'), 1_000)).toBeUndefined()
  })

  test('with a file before it that its directory leaves out has none', () => {
    const [first, second] = [zip('first'), zip('second')]
    expect(unzipOnlyFile(Buffer.concat([first, second]), 1_000)).toBeUndefined()
  })
})

describe('a bomb', () => {
  const BYTES = 200_000_000
  const bomb = zipSync({ bomb: [new Uint8Array(BYTES), { level: 9 }] })

  test.each([
    ['that gives its size', bomb],
    ['that gives a smaller size', declareSize(bomb, 100)],
  ])('%s is refused before it is extracted', (_, bytes) => {
    const before = process.memoryUsage().arrayBuffers
    expect(unzipOnlyFile(bytes, 10_000)).toBeUndefined()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(BYTES / 10)
  })
})

/** Changes the sizes in the header of the file and in the directory. */
function declareSize(archive: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(archive)
  bytes.writeUInt32LE(size, 22)
  bytes.writeUInt32LE(size, bytes.lastIndexOf(Buffer.from('PK\x01\x02')) + 24)
  return bytes
}
