import type { Catalog } from '#store/open-catalog.ts'
import type { ServedCatalog } from '#store/served-catalog.ts'
import type { Workers } from './workers.ts'

/** Opens a fetched snapshot and loads its search index into memory, so that no search waits for the disk. */
export async function openSnapshot(
  path: string,
  { open }: Pick<ServedCatalog, 'open'>,
  { search }: Pick<Workers, 'search'>,
): Promise<Catalog> {
  const index = await search.run({ kind: 'search', path })
  const catalog = open(path)
  catalog.publication.refresh()
  if (index !== undefined) catalog.search.useInMemory(index)
  return catalog
}
