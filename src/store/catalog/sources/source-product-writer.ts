import type { ExpansionMatch } from '#rules/sync/cardmarket/matchable.ts'
import { type Db, inTransaction } from '../../db.ts'
import { upsertInto } from '../../table-sql.ts'
import {
  type SourceExpansionRow,
  type SourceProductRow,
  sourceExpansions,
  sourceProducts,
  type UpstreamFileRow,
  upstreamFiles,
} from '../schema/sync.ts'
import {
  openSourceProductStore,
  type SourceProductStore,
  type StoredProduct,
} from './source-products.ts'

/** Changes of a source's products that are stored together. */
export type ProductChanges = {
  source: string
  sourceGame: number
  /** Products that are new or changed. */
  products: readonly StoredProduct[]
  /** Expansions whose set was previously unknown. */
  expansions: ReadonlyMap<number, ExpansionMatch>
  /** Validators of the lists that were read. */
  files: readonly UpstreamFileRow[]
  /** Paths of unchanged files to read again, because other products have cards now. */
  forget: readonly string[]
}

/** Card of a product by an operator's choice; null if the card is not in the catalog. */
export type OperatorMatch = Pick<SourceProductRow, 'id' | 'card_id' | 'printing'>

/** Writes the products of sources. Each call is one transaction. */
export type SourceProductWriter = SourceProductStore & {
  putChanges(changes: ProductChanges): void
  /**
   * Stores an operator's choices, which imports never change.
   *
   * @param forget paths of files to read again, so that the next import publishes the prices
   */
  putOperatorMatches(
    source: string,
    matches: Iterable<OperatorMatch>,
    forget: readonly string[],
  ): void
}

export function openSourceProductWriter(db: Db): SourceProductWriter {
  const put = db.prepare<[SourceProductRow]>(upsertInto(sourceProducts))
  const putExpansion = db.prepare<[SourceExpansionRow]>(upsertInto(sourceExpansions))
  const putFile = db.prepare<[UpstreamFileRow]>(upsertInto(upstreamFiles))
  const forgetFile = db.prepare<[string]>('DELETE FROM upstream_files WHERE path = ?')
  const decide = db.prepare<[number | null, string | null, string, number]>(
    `UPDATE source_products SET card_id = ?, printing = ?, method = 'operator', confidence = 1,
       card_name = NULL, card_set_id = NULL
      WHERE source = ? AND id = ?`,
  )

  return {
    ...openSourceProductStore(db),
    putChanges: ({ source, sourceGame, products, expansions, files, forget }) =>
      inTransaction(db, () => {
        for (const product of products) put.run({ source, source_game: sourceGame, ...product })
        for (const [id, match] of expansions) putExpansion.run({ source, id, ...match })
        for (const file of files) putFile.run(file)
        for (const path of forget) forgetFile.run(path)
      }),
    putOperatorMatches: (source, matches, forget) =>
      inTransaction(db, () => {
        for (const { id, card_id, printing } of matches) decide.run(card_id, printing, source, id)
        for (const path of forget) forgetFile.run(path)
      }),
  }
}
