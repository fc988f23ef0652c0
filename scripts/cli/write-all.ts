import { chmodSync, createWriteStream, renameSync, rmSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'

type Pieces = Iterable<string> | AsyncIterable<string>

/** Writes to a file that appears only when it is whole, or to stdout. */
export async function writeAll(pieces: Pieces, out: string | undefined): Promise<void> {
  if (out === undefined) return pipeline(chunksOf(pieces), process.stdout, { end: false })
  const part = `${out}.part`
  try {
    await pipeline(chunksOf(pieces), createWriteStream(part))
    // The operator chose the place, so the file has the permissions of their other files.
    chmodSync(part, 0o666 & ~OPERATOR_UMASK)
    renameSync(part, out)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Umask of the operator, before the command made its own files private. */
const OPERATOR_UMASK = process.umask()

async function* chunksOf(pieces: Pieces): AsyncGenerator<string> {
  let buffer = ''
  for await (const piece of pieces) {
    buffer += piece
    if (buffer.length < CHUNK) continue
    yield buffer
    buffer = ''
  }
  yield buffer
}

/** Written at once, in characters. */
const CHUNK = 65_536
