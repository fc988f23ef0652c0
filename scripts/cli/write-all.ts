import { once } from 'node:events'
import { createWriteStream, renameSync, rmSync } from 'node:fs'
import type { Writable } from 'node:stream'

type Pieces = Iterable<string> | AsyncIterable<string>

/** Writes to a file that appears only when it is whole, or to stdout. */
export async function writeAll(pieces: Pieces, out: string | undefined): Promise<void> {
  if (out === undefined) return pour(pieces, process.stdout)
  const part = `${out}.part`
  const file = createWriteStream(part)
  try {
    await pour(pieces, file)
    file.end()
    await once(file, 'finish')
    renameSync(part, out)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Waits wherever the reader is slower than the catalog. */
async function pour(pieces: Pieces, to: Writable): Promise<void> {
  let buffer = ''
  for await (const piece of pieces) {
    buffer += piece
    if (buffer.length < CHUNK) continue
    if (!to.write(buffer)) await once(to, 'drain')
    buffer = ''
  }
  if (!to.write(buffer)) await once(to, 'drain')
}

/** Written at once, in characters. */
const CHUNK = 65_536
