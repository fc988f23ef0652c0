import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import { UpstreamFormatError } from '#rules/sync/upstream-shapes.ts'

/**
 * Parses a file of the mirror.
 *
 * @throws UpstreamError if the file is not in the mirror's format. Other errors are bugs and are not wrapped
 */
export function parseFile<T>(path: string, parse: () => T): T {
  try {
    return parse()
  } catch (cause) {
    if (!(cause instanceof UpstreamFormatError)) throw cause
    throw new UpstreamError(path, cause.message, { cause })
  }
}
