// An S3 bucket. Bun signs the requests and fetch sends them, because Bun's own transfers support no conditions, and
// hold whole files in memory (docs/decisions/0033).

import type { BucketSettings } from '#config/storage.ts'
import type { ByteRange } from '#rules/primitives/byte-range.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'

/** A small object, and the entity tag of its contents. */
export type BucketText = { text: string; etag: string }

/** Objects of a bucket. Every operation throws ServiceError UNAVAILABLE if it fails. */
export type Bucket = {
  /** Reads a small object; undefined if it is missing, `unchanged` if it still has this entity tag. */
  read(name: string, knownEtag?: string): Promise<BucketText | 'unchanged' | undefined>
  /**
   * Writes a small object if the stored one still has this entity tag; with undefined, if none exists.
   *
   * @returns false if another process has written it in the meantime
   */
  replace(name: string, text: string, etag: string | undefined): Promise<boolean>
  /** Uploads a file under a new name. @returns false if the name is taken */
  upload(name: string, path: string): Promise<boolean>
  /**
   * Opens an object, or a range of it, for reading; undefined if it is missing. Fails if nothing arrives for a while.
   */
  download(name: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Returns a signed URL at which clients can download an object; undefined if they cannot reach the bucket. */
  sign(name: string, file: { fileName: string; contentType: string }): string | undefined
  /** Lists all names that begin with `start`. */
  list(start: string): Promise<string[]>
  delete(name: string): Promise<void>
}

/** Opens a bucket. Sends nothing yet. */
export function openBucket({ bucket, prefix, ...settings }: BucketSettings): Bucket {
  const { publicEndpoint, region, accessKeyId, secretAccessKey, sessionToken } = settings
  const openAt = (endpoint: string | undefined) =>
    new Bun.S3Client({
      bucket,
      region,
      accessKeyId,
      secretAccessKey,
      ...(endpoint !== undefined && { endpoint }),
      ...(sessionToken !== undefined && { sessionToken }),
    })
  const s3 = openAt(settings.endpoint)
  const forClients = publicEndpoint === undefined ? undefined : openAt(publicEndpoint)

  async function send(
    method: 'GET' | 'PUT',
    name: string,
    { expected, ...init }: RequestInit & { signal: AbortSignal; expected: number[] },
  ): Promise<Response> {
    const url = s3.presign(prefix + name, { method, expiresIn: SIGNED_SECONDS })
    const response = await fetch(url, { ...init, method }).catch((error) => {
      throw unavailable(errorMessage(error))
    })
    if (expected.includes(response.status)) return response
    throw unavailable(`HTTP ${response.status}${await readCode(response)}`)
  }

  return {
    async read(name, knownEtag) {
      const response = await send('GET', name, {
        headers: knownEtag === undefined ? {} : { 'if-none-match': knownEtag },
        expected: [200, 304, 404],
        signal: AbortSignal.timeout(SMALL_MS),
      })
      if (response.status === 404) return undefined
      if (response.status === 304) return 'unchanged'
      return { text: await readAll(response), etag: response.headers.get('etag') ?? '' }
    },
    async replace(name, text, etag) {
      const { status } = await send('PUT', name, {
        headers: etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag },
        body: text,
        expected: [200, 409, 412],
        signal: AbortSignal.timeout(SMALL_MS),
      })
      return status === 200
    },
    async upload(name, path) {
      const file = Bun.file(path)
      const { status } = await send('PUT', name, {
        headers: { 'if-none-match': '*' },
        body: file,
        expected: [200, 409, 412],
        signal: AbortSignal.timeout(SMALL_MS + file.size / SLOWEST_BYTES_MS),
      })
      return status === 200
    },
    async download(name, range) {
      const stalled = new AbortController()
      const { signal } = stalled
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
      const expected = [range === undefined ? 200 : 206, 404]
      const { status, body } = await send('GET', name, { headers, signal, expected })
      if (status === 404) return undefined
      if (body === null) throw unavailable(`HTTP ${status} without a body`)
      return watch(body, stalled)
    },
    sign: (name, { fileName, contentType }) =>
      forClients?.presign(prefix + name, {
        method: 'GET',
        expiresIn: SIGNED_SECONDS,
        type: contentType,
        contentDisposition: `attachment; filename="${fileName}"`,
      }),
    async list(start) {
      const names: string[] = []
      let startAfter: string | undefined
      for (;;) {
        const page = await attempt(() =>
          s3.list({ prefix: prefix + start, ...(startAfter !== undefined && { startAfter }) }),
        )
        const keys = page.contents?.map(({ key }) => key) ?? []
        names.push(...keys.map((key) => key.slice(prefix.length)))
        startAfter = keys.at(-1)
        if (page.isTruncated !== true || startAfter === undefined) return names
      }
    },
    delete: (name) => attempt(() => s3.delete(prefix + name)),
  }
}

/** Forwards the bytes of a transfer, and aborts it when no bytes arrive for a while. */
async function* watch(
  body: AsyncIterable<Uint8Array>,
  stalled: AbortController,
): AsyncGenerator<Uint8Array> {
  const start = () => setTimeout(() => stalled.abort(), STALL_MS)
  let timer = start()
  try {
    for await (const chunk of body) {
      clearTimeout(timer)
      yield chunk
      timer = start()
    }
  } catch (error) {
    throw unavailable(errorMessage(error))
  } finally {
    clearTimeout(timer)
    // Also ends the transfer if the reader stops early.
    stalled.abort()
  }
}

async function attempt<Result>(operation: () => Promise<Result>): Promise<Result> {
  try {
    return await operation()
  } catch (error) {
    throw unavailable(errorMessage(error))
  }
}

async function readAll(response: Response): Promise<string> {
  return attempt(() => response.text())
}

/** Returns the code of S3's error, such as ` (AccessDenied)`; its message may contain a key. */
async function readCode(response: Response): Promise<string> {
  const text = await response.text().catch(() => '')
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
  return code === undefined ? '' : ` (${code})`
}

/** Without the cause, because errors of fetch contain the signed URL, which grants access. */
function unavailable(reason: string): ServiceError {
  return new ServiceError(
    'UNAVAILABLE',
    `The bucket did not respond as expected: ${reason}. Check its address and keys, then try again.`,
  )
}

/** Validity of a signed URL in seconds. Only the start of a transfer must be within it. */
const SIGNED_SECONDS = 300
/** Timeout of a request for a small object, in milliseconds. */
const SMALL_MS = 30_000
/** Maximum time without a byte of a download, in milliseconds. */
const STALL_MS = 30_000
/** Minimum speed of an upload, in bytes per millisecond: 0.2 MB/s. */
const SLOWEST_BYTES_MS = 200
