import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiResponse } from '#client/client.ts'
import type { SetSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/owned.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { Meter } from '../../components/meter.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { count } from '../../format.ts'
import { MissingCards } from './missing-cards.tsx'
import { countSingles, type OwnedCards, type OwnedQuery } from './owned-cards.ts'

type SetProgressProps = {
  set: { id: number; name: string } | undefined
  summary: UseQueryResult<ApiResponse<'GET', '/v1/sets/{id}/summary'>>
  owned: OwnedQuery
}

/** Shows how much of a set is owned, also by printing, and offers a wish list of the rest. */
export function SetProgress({ set, summary, owned }: SetProgressProps) {
  if (summary.data?.data.cards === 0 || summary.isError) return null
  return (
    <section className="set-progress stack tight" aria-label={texts.owned}>
      <QueryError query={owned} />
      {set !== undefined && summary.data !== undefined && owned.data !== undefined ? (
        <Progress set={set} {...summary.data.data} owned={owned.data} />
      ) : (
        !owned.isError && <LineSkeleton count={2} />
      )}
    </section>
  )
}

type ProgressProps = { set: { id: number; name: string }; owned: OwnedCards } & Pick<
  SetSummary,
  'cards' | 'printings'
>

function Progress({ set, cards, printings, owned }: ProgressProps) {
  const [isOpen, setOpen] = useState(false)
  const singles = countSingles(owned)
  const text = texts.ownedOfCards({ owned: count(singles), cards })
  const missing = cards - singles
  return (
    <>
      <div className="row">
        <p>
          <strong>{text}</strong>
        </p>
        {missing > 0 && (
          <Button onClick={() => setOpen(true)}>
            {singles > 0 ? texts.wishlistOfMissing(missing) : texts.wishlistOfAll(missing)}
          </Button>
        )}
      </div>
      <Meter label={texts.owned} value={singles} max={cards} text={text} />
      {singles > 0 && printings.length > 1 && (
        <p className="small soft">
          {printings
            .map(({ name, cards: all }) =>
              texts.ownedOfPrinting({
                printing: name,
                owned: count(countWith(owned, name)),
                all: count(all),
              }),
            )
            .join(' · ')}
        </p>
      )}
      {isOpen && <MissingCards set={set} owned={owned} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Counts the cards of which there is a copy in a printing. */
function countWith(owned: OwnedCards, name: string): number {
  return [...owned.values()].filter((copies) =>
    copies.some(({ is_single, printing }) => is_single && printing === name),
  ).length
}
