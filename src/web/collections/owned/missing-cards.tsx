import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Collection, PricedCard, PriceOrigin } from '#client/endpoints.ts'
import * as texts from '#texts/collections/owned.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { FormError } from '../../components/form-error.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { DOLLARS } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { inCurrency, useCurrency } from '../../pricing/currency.ts'
import { ORIGIN_MEMBERS } from '../../pricing/price-origin.ts'
import { PriceText } from '../../pricing/price-text.tsx'
import { defineQuery, fetchAllPages, refetchAfterChange } from '../../query-client.ts'
import { randomUuid, timedUuid } from '../../random-uuid.ts'
import { AddDialog } from '../add-dialog.tsx'
import { useCollections } from '../queries.ts'
import { repeated } from '../repeated.ts'
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
      title={texts.missingCardsOf(set.name)}
      form={({ onAdded }) => (
        <MissingForm set={set} owned={owned} onAdded={onAdded} onClose={onClose} />
      )}
      describe={({ into, count }) => texts.cardsAreIn({ cards: count, collection: into.name })}
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
  const [filling] = useState<Filling>(() => ({ list: randomUuid(), items: new Map() }))
  const room = useCollections(DOLLARS).data?.meta.items_max ?? Number.POSITIVE_INFINITY
  const isTooLong = (missing?.length ?? 0) > room
  const create = useAction(async () => {
    if (missing === undefined) return
    const into = await fillWishlist(filling, set.name, missing)
    onAdded({ into, count: missing.length })
  })
  return (
    <>
      <QueryError query={cards} />
      {cards.isPending && <LineSkeleton count={2} />}
      {missing !== undefined && <Cost missing={missing} />}
      {isTooLong && <p>{texts.wishlistRoom(room)}</p>}
      <FormError error={create.error} />
      <div className="row end">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button className="main" disabled={missing === undefined || isTooLong} action={create}>
          {texts.createWishlist}
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
      {texts.costOfEach({
        cost: (
          <strong>
            <PriceText
              amount={cost}
              origin={priced.find(({ converted }) => converted) ?? priced[0]}
            />
          </strong>
        ),
        unpriced: missing.length - priced.length,
      })}
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

/** Ids of a wish list and of its items by card, so that a repeated attempt adds nothing twice. */
type Filling = { list: string; items: Map<number, string> }

function idOf({ items }: Filling, card: number): string {
  const id = items.get(card) ?? timedUuid()
  items.set(card, id)
  return id
}

async function fillWishlist(
  filling: Filling,
  name: string,
  cards: readonly ListedCard[],
): Promise<Collection> {
  try {
    const kind = 'wish' as const
    const body = { name: texts.missingOf(name).slice(0, NAME_MAX), kind, id: filling.list }
    const { data: list } = await repeated(() => api.post('/v1/collections', { body }))
    const path = { id: list.id }
    for (let start = 0; start < cards.length; start += ITEMS_MAX) {
      const items = cards.slice(start, start + ITEMS_MAX).map(({ id, printing }) => ({
        id: idOf(filling, id),
        card_id: id,
        ...(printing !== null && { printing }),
      }))
      await repeated(() => api.post('/v1/collections/{id}/items', { path, body: { items } }))
    }
    return list
  } finally {
    refetchAfterChange('/v1/collections')
  }
}
