import { open } from 'node:fs/promises'
import type { Config } from '#config.ts'
import type { Log } from '#log.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CacheValidator, FileChunks } from './fetched-file.ts'
import { openRootFiles, type RootFilesOptions } from './root-files.ts'

/** Result of a conditional download. */
export type DownloadResult =
  | { status: 'fresh'; validator: CacheValidator }
  | { status: 'unchanged' }
  | { status: 'missing' }

/** Client of the large files of a source. */
export type SourceFiles = {
  /**
   * Downloads a file to a local path, unless its validators still equal `known`. After a failure, the file at the
   * path may be incomplete.
   *
   * @throws UpstreamError
   */
  download(path: string, target: string, known?: CacheValidator): Promise<DownloadResult>
  /** Returns true if a file exists. Fetches little more than its beginning. @throws UpstreamError */
  has(path: string): Promise<boolean>
  /** Cancels requests in progress and waiting ones; each rejects with an UpstreamError. */
  close(): void
}

/** Opens the files of a source; nothing is fetched yet. */
function openSourceFiles(options: RootFilesOptions): SourceFiles {
  const files = openRootFiles(options)
  return {
    async download(path, target, known) {
      const fetched = await files.fetch(path, known, (chunks) => writeChunks(target, chunks))
      return fetched.status === 'fresh'
        ? { status: 'fresh', validator: fetched.validator }
        : fetched
    },
    async has(path) {
      const { status } = await files.fetch(path, undefined, async (chunks) => {
        for await (const _ of chunks) break
      })
      return status === 'fresh'
    },
    close: files.close,
  }
}

/**
 * Opens the configured copy of Cardmarket's files.
 *
 * @throws ServiceError VALIDATION_ERROR if none is configured
 */
export function openConfiguredCardmarket(
  { cardmarketUrl, publicUrl }: Pick<Config, 'cardmarketUrl' | 'publicUrl'>,
  log: Log,
  options: Partial<RootFilesOptions> = {},
): SourceFiles {
  if (cardmarketUrl === undefined) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      'CARDMARKET_URL is not set. Set it to the root of the files: https://… or file:///….',
    )
  }
  return openSourceFiles({
    rootUrl: cardmarketUrl,
    setting: 'CARDMARKET_URL',
    userAgent: `Cardstock/${packageJson.version} (+${publicUrl})`,
    // The download server responds 403 for a file that does not exist.
    missingStatuses: [403, 404],
    fileBytesMax: FILE_BYTES_MAX,
    timeoutMs: 120_000,
    log: (event, facts) => log.debug(event, facts),
    ...options,
  })
}

/** Five times the largest guide, which has 15 MB. */
const FILE_BYTES_MAX = 80 * 1024 * 1024

async function writeChunks(target: string, chunks: FileChunks): Promise<void> {
  const file = await open(target, 'w')
  try {
    for await (const chunk of chunks) await file.write(chunk)
  } finally {
    await file.close()
  }
}
