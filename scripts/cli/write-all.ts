import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hasErrorCode } from '#rules/primitives/system-errors.ts'

type Pieces = Iterable<string> | AsyncIterable<string>

/**
 * Writes to a file, which appears only when it is complete, or to stdout.
 *
 * @returns false if the reader of stdout, such as `head`, has closed it
 */
export async function writeAll(pieces: Pieces, out: string | undefined): Promise<boolean> {
  if (out === undefined) return writeToStdout(pieces)
  if (!existsSync(dirname(out))) {
    throw new ServiceError('NOT_FOUND', `The folder of ${out} does not exist. Create it first.`)
  }
  const part = `${out}.part`
  try {
    // Unlike a write stream, `writeFile` closes the file before it fails, so that no file appears afterwards.
    await writeFile(part, chunksOf(pieces))
    // The operator chose the path, so the file gets the permissions of the operator's other files.
    chmodSync(part, 0o666 & ~OPERATOR_UMASK)
    renameSync(part, out)
    return true
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

async function writeToStdout(pieces: Pieces): Promise<boolean> {
  try {
    await pipeline(chunksOf(pieces), process.stdout, { end: false })
    return true
  } catch (error) {
    if (hasErrorCode(error, 'EPIPE')) return false
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

/** Characters per write. */
const CHUNK = 65_536
