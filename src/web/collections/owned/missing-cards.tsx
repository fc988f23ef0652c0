import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Collection, PricedCard, PriceOrigin } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { FormError } from '../../components/form-error.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { DOLLARS, plural } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { inCurrency, useCurrency } from '../../pricing/currency.ts'
import { ORIGIN_MEMBERS } from '../../pricing/price-origin.ts'
import { PriceText } from '../../pricing/price-text.tsx'
import { defineQuery, fetchAllPages, refetchAfterChange } from '../../query-client.ts'
import { AddDialog } from '../add-dialog.tsx'
import { useCollections } from '../queries.ts'
import type { OwnedCards } from './owned-cards.ts'

type MissingCardsProps = {
  set: { id: number; name: string }
  owned: OwnedCards
  onClose: () => void
}

/** Turns the missing cards of a set into a wish list, with what they cost in their base printings. */
export function MissingCards({ set, owned, onClose }: MissingCardsProps) {
  return (
    <AddDialog<Filled>
      title={`Missing cards of ${set.name}`}
      form={({ onAdded }) => (
        <MissingForm set={set} owned={owned} onAdded={onAdded} onClose={onClose} />
      )}
      describe={({ into, count }) =>
        `${plural(count, 'card')} ${count === 1 ? 'is' : 'are'} in “${into.name}”.`
      }
      onClose={onClose}
    />
  )
}

type Filled = { into: Collection; count: number }

function MissingForm({
  set,
  owned,
  onAdded,
  onClose,
}: MissingCardsProps & { onAdded: (filled: Filled) => void }) {
  const cards = useCards(set.id)
  const [ownedAtFirst] = useState(owned)
  const missing = cards.data?.data.filter(({ id }) => !ownedAtFirst.has(id))
  const filling = useRef<Filling>({ list: undefined, stored: 0 })
  const room = useCollections(DOLLARS).data?.meta.items_max ?? Number.POSITIVE_INFINITY
  const isTooLong = (missing?.length ?? 0) > room
  const create = useAction(async () => {
    if (missing === undefined) return
    const into = await fillWishlist(filling.current, set.name, missing)
    onAdded({ into, count: missing.length })
  })
  return (
    <>
      <QueryError query={cards} />
      {cards.isPending && <LineSkeleton count={2} />}
      {missing !== undefined && <Cost missing={missing} />}
      {isTooLong && <p>A wish list can have {plural(room, 'card')} with your plan.</p>}
      <FormError error={create.error} />
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button className="main" disabled={missing === undefined || isTooLong} action={create}>
          Create wish list
        </Button>
      </div>
    </>
  )
}

type ListedCard = Pick<PricedCard, 'id' | 'printing' | 'market_price'> & PriceOrigin

function Cost({ missing }: { missing: readonly ListedCard[] }) {
  const priced = missing.filter(({ market_price }) => market_price !== null)
  const cost = priced.reduce((sum, { market_price }) => sum + (market_price ?? 0), 0)
  return (
    <p>
      One copy of each in its base printing:{' '}
      <strong>
        <PriceText amount={cost} origin={priced.find(({ converted }) => converted) ?? priced[0]} />
      </strong>
      {priced.length < missing.length &&
        ` (${plural(missing.length - priced.length, 'card')} without a price)`}
      .
    </p>
  )
}

function useCards(id: number) {
  const { currency } = useCurrency()
  const fields = ['id', 'printing', 'market_price', ...ORIGIN_MEMBERS].join()
  return useQuery(
    defineQuery(['/v1/sets/{id}/cards', 'missing', id, currency], (signal) =>
      inCurrency(currency, (choice) =>
        fetchAllPages((paging) =>
          api.get('/v1/sets/{id}/cards', {
            path: { id },
            query: { ...choice, ...paging, type: 'Cards', fields },
            signal,
          }),
        ),
      ),
    ),
  )
}

/** Number of items in a request. */
const ITEMS_MAX = 100
/** Maximum length of the name of a collection. */
const NAME_MAX = 100

/** A wish list that is being filled: a repeated attempt goes on where an earlier one failed. */
type Filling = { list: Collection | undefined; stored: number }

async function fillWishlist(
  filling: Filling,
  name: string,
  cards: readonly ListedCard[],
): Promise<Collection> {
  try {
    const body = { name: `Missing of ${name}`.slice(0, NAME_MAX), kind: 'wish' as const }
    filling.list ??= (await api.post('/v1/collections', { body })).data
    const path = { id: filling.list.id }
    while (filling.stored < cards.length) {
      const part = cards.slice(filling.stored, filling.stored + ITEMS_MAX)
      const items = part.map(({ id, printing }) => ({
        card_id: id,
        ...(printing !== null && { printing }),
      }))
      await api.post('/v1/collections/{id}/items', { path, body: { items } })
      filling.stored += part.length
    }
    return filling.list
  } finally {
    refetchAfterChange('/v1/collections')
  }
}
