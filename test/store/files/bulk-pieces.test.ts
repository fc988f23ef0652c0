// Pieces of bulk files that the previous version also has are copied, and all others are compressed.
import { afterEach, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openBulkPieces } from '#store/files/bulk-pieces.ts'
import { openGzipFile } from '#store/files/gzip-file.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Writes a version with one file of these texts. @returns its folder */
function writeVersion(texts: readonly string[], before?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-pieces-'))
  folders.push(folder)
  const pieces = openBulkPieces(before)
  const file = openGzipFile(join(folder, 'file.gz'))
  for (const text of texts) pieces.append(file, 'file.gz', pieces.pack(text, 1))
  file.end()
  pieces.save(folder)
  pieces.close()
  return folder
}

const bytesOf = (folder: string) => readFileSync(join(folder, 'file.gz'))

test('files with copied pieces equal those that are compressed as a whole', () => {
  const texts = ['one '.repeat(9_000), '', 'two', 'é𠮷'.repeat(500), 'two']
  const before = writeVersion(['other', ...texts.toReversed()])
  const after = writeVersion(texts, before)
  expect(gunzipSync(bytesOf(after)).toString()).toBe(texts.join(''))
  expect(bytesOf(after)).toEqual(bytesOf(writeVersion(texts)))
})

test('a piece comes from the version before, unless it is damaged or missing there', () => {
  const text = 'price '.repeat(9_000)
  const before = writeVersion([text])
  const packed = () => {
    const pieces = openBulkPieces(before)
    const piece = pieces.pack(text, 1)
    pieces.close()
    return Buffer.from(piece.packed)
  }
  const compressed = packed()
  // A changed text with its checksum shows that the piece is copied.
  const places = join(before, 'pieces.json')
  const [[hash, position]] = JSON.parse(readFileSync(places, 'utf8'))
  const other = Buffer.from('another form')
  writeFileSync(join(before, 'other'), other)
  const check = Bun.hash.crc32(other)
  const moved = { ...position, path: 'other', start: 0, length: other.length }
  writeFileSync(places, JSON.stringify([[hash, { ...moved, check }]]))
  expect(packed()).toEqual(other)
  for (const damaged of [
    JSON.stringify([[hash, { ...moved, check: check + 1 }]]),
    JSON.stringify([[hash, { ...moved, path: 'missing' }]]),
    '[',
  ]) {
    writeFileSync(places, damaged)
    expect(packed()).toEqual(compressed)
  }
})
