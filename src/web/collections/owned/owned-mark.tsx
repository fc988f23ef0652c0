import type { OwnedCopies } from '#client/endpoints.ts'
import * as texts from '#texts/collections/owned-mark.ts'
import { count } from '../../format.ts'
import { countCopies, printingsText } from './owned-cards.ts'

/** Marks a card with the number of its copies in all collections. Shows nothing if there is no copy. */
export function OwnedMark({ copies = [] }: { copies: readonly OwnedCopies[] | undefined }) {
  if (copies.length === 0) return null
  return (
    <>
      {' '}
      <span className="owned-mark small" title={printingsText(copies)}>
        <span aria-hidden="true">✓ {count(countCopies(copies))}</span>
        <span className="visually-hidden">{texts.ownedPrintings(printingsText(copies))}</span>
      </span>
    </>
  )
}
