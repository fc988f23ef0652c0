import type { CatalogWriterDeps } from '#deps.ts'

/** The games of the bundled sample (data/sample/tcgplayer/categories); no marketplace has these ids. */
export const SAMPLE_GAME_IDS: readonly number[] = [9001, 9002, 9003]

/** Deletes the sample from the catalog. @returns the new version; undefined if there was no sample */
export function removeSample({
  catalogWriter,
  now,
}: Pick<CatalogWriterDeps, 'catalogWriter' | 'now'>): number | undefined {
  return catalogWriter.removeGames(SAMPLE_GAME_IDS, now())
}
