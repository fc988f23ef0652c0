import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '#config.ts'
import packageJson from '../../../package.json' with { type: 'json' }
import { createSsrfGuard } from '../net/ssrf-guard.ts'
import { type CardPictures, type CardPicturesOptions, openCardPictures } from './pictures.ts'

/** Folder of the sample's images, whose URLs in the catalog are relative. */
const SAMPLE = join(import.meta.dir, '../../../data/sample')

/** Opens the client for the images of the configured catalog. */
export function openCatalogPictures(
  { publicUrl, upstreamUrl }: Pick<Config, 'publicUrl' | 'upstreamUrl'>,
  options: Partial<CardPicturesOptions> = {},
): CardPictures {
  return openCardPictures({
    userAgent: `Cardstock/${packageJson.version} (+${publicUrl})`,
    folders: upstreamUrl?.startsWith('file:') ? [fileURLToPath(upstreamUrl), SAMPLE] : [SAMPLE],
    guard: createSsrfGuard(upstreamUrl),
    ...options,
  })
}

/**
 * Opens the client for images that people wait for. A slow image is requested again later. The queue of
 * those who wait limits the requests to a host.
 *
 * @param read returns the settings as they are now: the operator can change the mirror
 */
export function openPagePictures(
  read: () => Pick<Config, 'publicUrl' | 'upstreamUrl'>,
): CardPictures {
  return openCatalogPictures(read(), {
    guard: (url, signal) => createSsrfGuard(read().upstreamUrl)(url, signal),
    atOnceMax: 8,
    timeoutMs: 8_000,
    retries: 1,
    patienceMs: 3_000,
  })
}
