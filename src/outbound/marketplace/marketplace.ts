// Client of the mirror from which the catalog is read.
import { errorMessage } from '#rules/primitives/system-errors.ts'
import { parsePublishTime } from '#rules/sync/upstream.ts'
import { type CacheValidator, type FileChunks, UpstreamError } from './fetched-file.ts'
import { openRootFiles, type RootFilesOptions } from './root-files.ts'

/** Result of a conditional request. */
export type FetchResult =
  | { status: 'fresh'; text: string; validator: CacheValidator }
  | { status: 'unchanged' }
  | { status: 'missing' }

/** Address and limits of a mirror. */
export type MarketplaceOptions = Omit<
  RootFilesOptions,
  'rootUrl' | 'setting' | 'missingStatuses' | 'fileBytesMax'
> & {
  /** Root of a tcgcsv-shaped mirror: `https://…`, `http://…` or `file:///…`. */
  upstreamUrl: string
  /** Maximum size of a file after decompression. */
  fileBytesMax?: number
}

/** Client of a mirror. */
export type Marketplace = {
  /** Fetches a file below the root, unless its validators still equal `known`. @throws UpstreamError */
  fetchFile(path: string, known?: CacheValidator): Promise<FetchResult>
  /** Fetches the time at which the mirror last published prices. @throws UpstreamError */
  fetchPublishTime(): Promise<Date>
  /** Returns the path of the list of games. */
  gamesPath(): string
  /** Returns the path of a game's sets. */
  setsPath(gameId: number): string
  /** Returns the path of a set's products. */
  productsPath(gameId: number, setId: number): string
  /** Returns the path of a set's prices. */
  pricesPath(gameId: number, setId: number): string
  /** Cancels requests in progress and waiting ones; each rejects with an UpstreamError. */
  close(): void
}

/**
 * Opens a mirror; nothing is fetched yet.
 *
 * @throws Error if the URL is invalid or its scheme is not supported
 */
export function openMarketplace(options: MarketplaceOptions): Marketplace {
  const { upstreamUrl: rootUrl, fileBytesMax = FILE_BYTES_MAX } = options
  const files = openRootFiles({ ...options, rootUrl, setting: 'UPSTREAM_URL', fileBytesMax })

  async function fetchFile(path: string, known?: CacheValidator): Promise<FetchResult> {
    const fetched = await files.fetch(path, known, (chunks) => readText(path, chunks))
    if (fetched.status !== 'fresh') return fetched
    const { status, content: text, validator } = fetched
    return { status, text, validator }
  }

  return {
    fetchFile,

    async fetchPublishTime() {
      const result = await fetchFile(PUBLISH_TIME)
      if (result.status !== 'fresh') {
        const problem = 'the file does not exist. Use the address of the folder that contains it.'
        throw new UpstreamError(PUBLISH_TIME, problem)
      }
      try {
        return parsePublishTime(result.text)
      } catch (cause) {
        throw new UpstreamError(PUBLISH_TIME, errorMessage(cause), { cause })
      }
    },

    gamesPath: () => 'tcgplayer/categories',
    setsPath: (gameId) => `tcgplayer/${gameId}/groups`,
    productsPath: (gameId, setId) => `tcgplayer/${gameId}/${setId}/products`,
    pricesPath: (gameId, setId) => `tcgplayer/${gameId}/${setId}/prices`,
    close: files.close,
  }
}

const PUBLISH_TIME = 'last-updated.txt'

/** Five times the largest of the mirror's 3,500 files, which has 1.7 MB. A sync needs a multiple of this in memory. */
const FILE_BYTES_MAX = 8 * 1024 * 1024

async function readText(path: string, chunks: FileChunks): Promise<string> {
  const bytes = Buffer.concat(await Array.fromAsync(chunks))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UpstreamError(path, 'the file is not valid UTF-8.', { cause })
  }
}
