import { type ValuationDeps, valueCollection } from './value-collection.ts'

/** Values all collections that were valued with an older version of the catalog. @returns how many */
export async function valueOutdated(deps: ValuationDeps): Promise<number> {
  const { version } = deps.catalog.publication.getCurrent()
  let valued = 0
  for (let after = ''; ; ) {
    const page = await deps.ledger.collections.listOutdated(version, after, PAGE)
    for (const key of page) await valueCollection(deps, key)
    valued += page.length
    after = page.at(-1)?.id ?? ''
    if (page.length < PAGE) return valued
  }
}

const PAGE = 100
