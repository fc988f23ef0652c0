import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CatalogWriterDeps } from '#deps.ts'
import { openMarketplace } from '#outbound/marketplace/marketplace.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { importHistory } from './import-history.ts'
import { type SyncReport, syncCatalog } from './sync-catalog.ts'

/**
 * Loads the bundled sample catalog through the same intake as a real one. Its last day is moved to
 * today, so that its changes, movers and charts are alive whenever it is loaded.
 *
 * @param folder the root of the sample's mirror
 */
export async function loadSample(deps: CatalogWriterDeps, folder: string): Promise<SyncReport> {
  const mirror = openMarketplace({
    upstreamUrl: pathToFileURL(folder).href,
    userAgent: 'Cardstock sample',
  })
  const published = await mirror.fetchPublishTime()
  const timeOfDay = published.getTime() % MS_PER_DAY
  // Today's prices come at their time of the day; before it, yesterday's are the newest.
  const lastDay = dayOf(new Date(deps.now().getTime() - timeOfDay))
  const shiftDays = lastDay - dayOf(published)
  const marketplace = {
    ...mirror,
    fetchPublishTime: async () => new Date(published.getTime() + shiftDays * MS_PER_DAY),
  }
  const report = await syncCatalog({ ...deps, marketplace }, {})
  importHistory(deps, join(folder, 'archive/tcgplayer'), { shiftDays })
  return report
}
