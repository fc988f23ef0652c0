import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { parseGamesFile } from '#rules/sync/upstream.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { parseFile } from './parse-file.ts'

/** Time for each of the two files; a person waits for the result. */
const TIMEOUT_MS = 10_000

/** A readable mirror. */
export type MirrorFacts = { games: number; publishedAt: Date }

/**
 * Reads the publish time and the list of games of a mirror.
 *
 * @param mirror root of the mirror, with http: or https:
 * @throws ServiceError MIRROR_UNUSABLE with the reason
 */
export async function checkMirror(
  mirror: string,
  publicUrl: string,
  timeoutMs = TIMEOUT_MS,
): Promise<MirrorFacts> {
  const marketplace = openMarketplace({
    upstreamUrl: mirror,
    userAgent: `Cardstock/${packageJson.version} (+${publicUrl})`,
    timeoutMs,
    retries: 0,
  })
  try {
    const publishedAt = await marketplace.fetchPublishTime()
    const path = marketplace.gamesPath()
    const file = await marketplace.fetchFile(path)
    if (file.status !== 'fresh') throw new UpstreamError(path, 'the file does not exist.')
    const { records } = parseFile(path, () => parseGamesFile(file.text))
    if (records.length === 0) throw new UpstreamError(path, 'it lists no readable game.')
    return { games: records.length, publishedAt }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new ServiceError('MIRROR_UNUSABLE', `The mirror cannot be used: ${error.message}`, {
      cause: error,
    })
  } finally {
    marketplace.close()
  }
}
