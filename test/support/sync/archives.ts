// Archives of extracted daily prices, also such as nobody should accept.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { type Zippable, zipSync } from 'fflate'
import { smallUpstream } from './upstream-fixture.ts'

/** An entry of an archive. `type` is that of TAR: 0 a file, 2 a link to `linkname`. */
export type Entry = { path: string; bytes: Uint8Array; type?: string; linkname?: string }

/** Returns the files below a folder, in the order of their paths. */
export function readEntries(folder: string, prefix = ''): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => ({ path: prefix + path, bytes: readFileSync(join(folder, path)) }))
}

export function writeTarGz(file: string, entries: readonly Entry[]): void {
  writeFileSync(file, gzipSync(tar(entries)))
}

export function writeTarZst(file: string, entries: readonly Entry[]): void {
  writeFileSync(file, zstdCompressSync(tar(entries)))
}

export function writeZip(file: string, entries: readonly Entry[]): void {
  const files: Zippable = {}
  for (const { path, bytes, type } of entries) {
    const mode = type === '2' ? 0o120777 : 0o100644
    files[path] = [bytes, { os: 3, attrs: (mode << 16) >>> 0 }]
  }
  writeFileSync(file, zipSync(files))
}

export function writeFolder(folder: string, entries: readonly Entry[]): void {
  for (const { path, bytes } of entries) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
}

/** Renders a TAR archive in the format of POSIX (ustar). */
export function tar(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, bytes, type = '0', linkname = '' }) => {
    const size = type === '0' ? bytes.length : 0
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\0', 100)
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156)
    header.write(linkname, 157)
    header.write('ustar\x0000', 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, bytes.subarray(0, size), Buffer.alloc((512 - (size % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Returns the prices of the small upstream, the same on some days that end with a date: 28 prices of a dollar or more a day. */
export function smallDays(count: number, last = '2026-03-09'): Entry[] {
  const files = [...smallUpstream().files].flatMap(([path, text]) => {
    const [, game, set, kind] = path.split('/')
    return kind === 'prices' ? [{ place: `${game}/${set}/prices`, bytes: Buffer.from(text) }] : []
  })
  return Array.from({ length: count }, (_, at) => {
    const time = new Date(Date.parse(last) - (count - 1 - at) * 86_400_000)
    const date = time.toISOString().slice(0, 10)
    return files.map(({ place, bytes }) => ({ path: `${date}/${place}`, bytes }))
  }).flat()
}
