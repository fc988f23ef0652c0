import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, createReadStream, fsyncSync, openSync, writeSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Published facts of a file: its size on disk, its hash and the rows in it. */
export type GzipFacts = { size: number; sha256: string; rows: number }

/** A gzip file while it is written. */
export type GzipFile = {
  /** Writes text; resolves when the buffer has room. */
  write(text: string, rows: number): Promise<void>
  /** Copies another file, which has this many rows. */
  writeFile(source: string, rows: number): Promise<void>
  /** Completes the file and syncs it to disk. */
  end(): Promise<GzipFacts>
  /** Closes the file without completing it. */
  discard(): void
}

/**
 * Creates a file with one gzip member, because some readers stop after the first. The same text
 * gives the same bytes. Chunks go to disk as they are compressed, so the file is never in memory.
 */
export function openGzipFile(path: string): GzipFile {
  const file = openSync(path, 'wx')
  const gzip = createGzip({ chunkSize: CHUNK_BYTES })
  const hash = createHash('sha256')
  let size = 0
  let rows = 0
  let isOpen = true

  const written = pipeline(gzip, async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) {
      // The descriptor of a closed file may belong to another file by now.
      if (!isOpen) return
      hash.update(chunk)
      size += chunk.length
      writeWhole(file, chunk)
    }
  })
  // Errors are thrown by `write` and `end`.
  written.catch(() => {})

  async function write(part: string | Uint8Array): Promise<void> {
    if (!gzip.write(part)) await Promise.race([once(gzip, 'drain'), written])
  }

  function close(): void {
    if (isOpen) closeSync(file)
    isOpen = false
  }

  return {
    async write(text, itsRows) {
      rows += itsRows
      if (text !== '') await write(text)
    },
    async writeFile(source, itsRows) {
      rows += itsRows
      for await (const chunk of createReadStream(source, { highWaterMark: READ_BYTES })) {
        await write(chunk)
      }
    },
    async end() {
      gzip.end()
      await written
      fsyncSync(file)
      close()
      return { size, sha256: hash.digest('hex'), rows }
    },
    discard() {
      gzip.destroy()
      close()
    },
  }
}

const CHUNK_BYTES = 2 ** 16
const READ_BYTES = 2 ** 18

/** Repeats the write, because the system may accept fewer bytes than it was given. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}
