// Files of other servers and of folders, as they arrive.

/** Cache validators of a file, for conditional requests. */
export type CacheValidator = { etag: string | null; last_modified: string | null }

/** Result of a conditional request; `content` is the result of the receiver. */
export type FetchedFile<T> =
  | { status: 'fresh'; content: T; validator: CacheValidator }
  | { status: 'unchanged' }
  | { status: 'missing' }

/** Chunks of a file, which end with an error if it is too large or truncated. */
export type FileChunks = AsyncIterable<Uint8Array>

/** Reads a file. Called again if the connection was interrupted. */
export type Receive<T> = (chunks: FileChunks) => Promise<T>

/** Fetches a file unless its validators still equal `known`. @throws UpstreamError, or what `receive` throws */
export type FetchPath = <T>(
  path: string,
  known: CacheValidator | undefined,
  receive: Receive<T>,
) => Promise<FetchedFile<T>>

/** The mirror did not return the file `path`. The message is a full sentence for the operator. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'

  constructor(
    readonly path: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${problem}`, options)
  }
}

export function tooLarge(path: string, bytesMax: number): UpstreamError {
  return new UpstreamError(path, `the file is larger than ${bytesMax} bytes.`)
}
