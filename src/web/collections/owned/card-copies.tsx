import { Link } from 'wouter'
import type { OwnedCopies, Price } from '#client/endpoints.ts'
import * as texts from '#texts/collections/owned.ts'
import { count, DOLLARS } from '../../format.ts'
import { PriceText } from '../../pricing/price-text.tsx'
import { copiesText } from '../item-text.ts'
import { collectionUrl, useCollections } from '../queries.ts'
import { useOwnedCards } from './owned-cards.ts'

type CardCopiesProps = { id: number; prices: readonly Price[] | undefined }

/** Lists the copies of a card in the collections of the account. Shows nothing without an account or a copy. */
export function CardCopies(props: CardCopiesProps) {
  const copies = useOwnedCards({ ids: [props.id] }).data?.get(props.id)
  if (copies === undefined) return null
  return <Copies {...props} copies={copies} />
}

function Copies({ copies, prices }: CardCopiesProps & { copies: readonly OwnedCopies[] }) {
  const collections = useCollections(DOLLARS).data?.data ?? []
  const nameOf = (id: string) => collections.find((one) => one.id === id)?.name ?? texts.aCollection
  return (
    <section className="owned-copies" aria-label={texts.owned}>
      <h2 className="small">{texts.youOwn}</h2>
      <ul>
        {copies.map((some) => (
          <li key={Object.values(some).join()}>
            <span className="owned-mark small">✓ {count(some.quantity)}</span>{' '}
            {texts.copiesIn({
              copies: copiesText(some),
              collection: (
                <Link href={collectionUrl(some.collection_id)}>{nameOf(some.collection_id)}</Link>
              ),
            })}
            <EachPrice copies={some} prices={prices} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Market prices are of near-mint and unopened copies without a grade. */
function EachPrice({ copies, prices }: { copies: OwnedCopies; prices: CardCopiesProps['prices'] }) {
  const { printing, condition, grade } = copies
  const price = prices?.find((one) => one.printing === printing)
  const fits = grade === null && (condition === 'near_mint' || condition === 'unopened')
  if (!fits || price === undefined || price.market_price === null) return null
  return (
    <span className="soft">
      {' '}
      {texts.atPriceEach(<PriceText amount={price.market_price} origin={price} />)}
    </span>
  )
}
