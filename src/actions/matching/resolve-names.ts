import type { Deps } from '#deps.ts'
import { runYielding } from '../cooperative-loop.ts'
import type { NameItem, NameMatch, NameMiss } from './name-match.ts'
import { createLineResolver } from './resolve-line.ts'

/** Resolves names, or lines of a list, in the order of the items. Yields to other requests. */
export function resolveNames(
  { catalog }: Pick<Deps, 'catalog'>,
  items: readonly NameItem[],
): Promise<(NameMatch | NameMiss)[]> {
  return runYielding(items, createLineResolver(catalog))
}
