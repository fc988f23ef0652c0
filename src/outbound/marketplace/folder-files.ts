import { open, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { errorCode, errorMessage } from '#rules/primitives/system-errors.ts'
import { type CacheValidator, type FetchPath, tooLarge, UpstreamError } from './fetched-file.ts'

/** Opens a folder with the layout of the root. Entity tags consist of size and modification time. */
export function openFolder(folder: string, fileBytesMax: number): FetchPath {
  return async (path, known, receive) => {
    const file = await findFile(folder, path).catch((cause) => refuseUnreadable(path, cause))
    if (file === undefined) return { status: 'missing' }
    const { validator, size, real } = file
    if (known?.etag === validator.etag) return { status: 'unchanged' }
    if (size > fileBytesMax) throw tooLarge(path, fileBytesMax)
    return { status: 'fresh', content: await receive(readFileChunks(path, real)), validator }
  }
}

type FoundFile = { real: string; size: bigint; validator: CacheValidator }

async function findFile(folder: string, path: string): Promise<FoundFile | undefined> {
  const home = await realpath(folder).catch(() => undefined)
  if (home === undefined) throw new UpstreamError(path, `the folder ${folder} does not exist.`)
  const real = await realpath(join(home, path)).catch(missingAsUndefined)
  if (real === undefined) return undefined
  if (!real.startsWith(home.endsWith(sep) ? home : home + sep)) {
    throw new UpstreamError(path, 'the link leads out of the folder of the mirror.')
  }
  const info = await stat(real, { bigint: true })
  if (!info.isFile()) return undefined
  const etag = `"${info.size.toString(36)}-${info.mtimeNs.toString(36)}"`
  return { real, size: info.size, validator: { etag, last_modified: info.mtime.toUTCString() } }
}

function missingAsUndefined(error: unknown): undefined {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}

async function* readFileChunks(path: string, real: string): AsyncGenerator<Uint8Array> {
  const refuse = (cause: unknown) => refuseUnreadable(path, cause)
  const file = await open(real).catch(refuse)
  try {
    for (;;) {
      const chunk = new Uint8Array(CHUNK_BYTES)
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES).catch(refuse)
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

const CHUNK_BYTES = 65_536

function refuseUnreadable(path: string, cause: unknown): never {
  if (cause instanceof UpstreamError) throw cause
  throw new UpstreamError(path, `the file cannot be read (${errorMessage(cause)}).`, { cause })
}
