import { UpstreamError } from '#outbound/marketplace/fetched-file.ts'
import type { SourceFiles } from '#outbound/marketplace/source-files.ts'
import type { StagedFiles } from '#store/files/staged-files.ts'
import type { CatalogWriter } from '#store/open-catalog-writer.ts'

type FetchDeps = { catalogWriter: CatalogWriter; files: SourceFiles; staged: StagedFiles }

/**
 * Fetches a file into the staging folder, unless it was already read or is already there.
 *
 * @param isForced fetches it even if it was already read
 * @returns the local file; undefined if it has not changed since it was read
 * @throws UpstreamError
 */
export async function fetchStaged(
  { catalogWriter, files, staged }: FetchDeps,
  path: string,
  isForced: boolean,
): Promise<string | undefined> {
  const file = staged.pathOf(path)
  const before = staged.get(path)
  const known = before ?? (isForced ? undefined : catalogWriter.syncLog.getFile(path))
  // An interrupted download must not keep the entity tag of the previous file.
  const target = `${file}.part`
  const fetched = await files.download(path, target, known)
  if (fetched.status === 'missing') throw new UpstreamError(path, 'the file does not exist.')
  if (fetched.status === 'unchanged') return before === undefined ? undefined : file
  staged.accept(path, target, fetched.validator)
  return file
}
