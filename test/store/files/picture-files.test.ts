import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPictureFileStore } from '#store/files/picture-files.ts'
import { countTurns } from '../../support/event-loop-turns.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-picture-files-'))
  folders.push(folder)
  return folder
}

const BLOCK = 4_096
const hour = (n: number) => new Date(Date.UTC(2026, 10, 15, n, 30))
const keyOf = (n: number) => new Bun.CryptoHasher('sha256').update(String(n)).digest('hex')

/** The checked part of a WebP. */
function webp(length = 1_000): Uint8Array {
  const bytes = Buffer.alloc(length)
  bytes.write('RIFF')
  bytes.writeUInt32LE(length - 8, 4)
  bytes.write('WEBP', 8)
  return bytes
}

function namesIn(dataDir: string): string[] {
  const root = join(dataDir, 'pictures')
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(root, name)).isFile(),
  )
}

test('a stored picture is found, also by another process', async () => {
  const dataDir = openFolder()
  const files = openPictureFileStore(dataDir, 1e6)
  await files.put(keyOf(1), webp(), hour(0))
  for (const found of [files, openPictureFileStore(dataDir, 1e6)]) {
    expect(new Uint8Array((await found.get(keyOf(1), hour(0))) ?? [])).toEqual(
      new Uint8Array(webp()),
    )
    expect(await found.get(keyOf(2), hour(0))).toBeUndefined()
  }
})

describe('a sweep', () => {
  test('deletes nothing while there is room', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 11 * BLOCK)
    for (let n = 0; n < 10; n++) await files.put(keyOf(n), webp(), hour(n))
    await files.sweep()
    expect(namesIn(dataDir)).toHaveLength(10)
  })

  test('deletes the least recently used files, and counts whole disk blocks', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 10 * BLOCK)
    for (let n = 0; n < 12; n++) await files.put(keyOf(n), webp(), hour(n))
    // Uses the oldest file again.
    await files.get(keyOf(0), hour(13))
    await files.sweep()
    const found = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => (await files.get(keyOf(n), hour(14))) && n),
    )
    expect(found.filter((n) => n !== undefined)).toEqual([0, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test('deletes no more files of one hour than needed', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 10 * BLOCK)
    for (let n = 0; n < 20; n++) await files.put(keyOf(n), webp(), hour(n === 0 ? 0 : 1))
    await files.sweep()
    expect(namesIn(dataDir)).toHaveLength(9)
    expect(await files.get(keyOf(0), hour(2))).toBeUndefined()
  })

  test('runs again before the limit is exceeded', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 100 * BLOCK)
    for (let n = 0; n < 160; n++) {
      await files.put(keyOf(n), webp(), hour(n))
      await files.sweep()
      if (n % 20 === 19) expect(namesIn(dataDir).length).toBeLessThanOrEqual(100)
    }
    expect(await files.get(keyOf(159), hour(160))).toBeDefined()
  })

  test('measures no more often than needed', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 100 * BLOCK)
    await files.put(keyOf(0), webp(), hour(0))
    await files.sweep()
    for (let n = 1; n <= 200; n++) {
      await openPictureFileStore(dataDir, 1e9).put(keyOf(n), webp(), hour(n))
    }
    // Adds foreign files.
    await files.sweep()
    expect(namesIn(dataDir)).toHaveLength(201)
  })

  test('deletes everything with limit 0, except foreign files', async () => {
    const dataDir = openFolder()
    const before = openPictureFileStore(dataDir, 1e6)
    for (let n = 0; n < 3; n++) await before.put(keyOf(n), webp(), hour(n))
    writeFileSync(join(dataDir, 'pictures', 'note.txt'), 'mine')
    const files = openPictureFileStore(dataDir, 0)
    await files.put(keyOf(9), webp(), hour(9))
    await files.sweep()
    expect(namesIn(dataDir)).toEqual(['note.txt'])
  })

  test('of a missing folder does nothing', async () => {
    const dataDir = openFolder()
    await openPictureFileStore(dataDir, 1).sweep()
    expect(existsSync(join(dataDir, 'pictures'))).toBe(false)
  })

  test('does not block the event loop for long, with many files', async () => {
    const dataDir = openFolder()
    const files = openPictureFileStore(dataDir, 100 * BLOCK)
    await Promise.all(Array.from({ length: 500 }, (_, n) => files.put(keyOf(n), webp(), hour(n))))
    const { turns } = await countTurns(files.sweep())
    expect(namesIn(dataDir).length).toBeLessThanOrEqual(90)
    // It deletes 410 files.
    expect(turns).toBeGreaterThan(100)
  })
})
