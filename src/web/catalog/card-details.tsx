import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Card } from '#client/endpoints.ts'
import { Facts } from '../components/facts.tsx'
import { count } from '../format.ts'

/** Shows the attributes of a card. Long texts get their own lines. */
export function CardDetails({ card }: { card: Card }) {
  const printed = Object.entries(card.custom_attributes).map(
    ([key, value]) => [key, [value].flat().join(', ')] as const,
  )
  const isText = ([key, value]: readonly [string, string]) =>
    TEXTS.test(key) || value.includes('\n')
  const values = printed
    .filter((one) => !isText(one))
    .map(([key, value]) => [nameOf(key), value] as const)
  const texts = printed.filter(isText)
  return (
    <section className="panel" aria-labelledby="about">
      <h2 id="about">Card details</h2>
      <Facts className="card-facts" rows={[...factsOf(card), ...values]} />
      {texts.length > 0 && (
        <Facts
          className="texts"
          rows={texts.map(([key, value]) => [
            nameOf(key),
            value,
            key === 'flavorText' ? 'flavor' : undefined,
          ])}
        />
      )}
    </section>
  )
}

function factsOf(card: Card): [name: string, value: ReactNode][] {
  const facts: [string, ReactNode][] = [
    [
      'Set',
      <Link key="set" href={`/sets/${card.set_id}`}>
        {card.set_name}
      </Link>,
    ],
    ['Number', card.number],
    ['Rarity', card.rarity],
    ['Product', card.product_type === 'Cards' ? 'Card' : card.product_type],
    ['Finish', card.foil_only === 1 ? 'Foil only' : null],
    ['Status', card.product_status_id === PRESALE ? 'Presale' : null],
    ['Listings', card.total_listings > 0 ? count(card.total_listings) : null],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
}

const PRESALE = 20

const TEXTS = /^(attack\d|description|oracleText|flavorText)$/

const NAMES: Readonly<Record<string, string>> = {
  hp: 'HP',
  color: 'Color',
  oracleText: 'Rules',
  flavorText: 'Flavor',
  description: 'Text',
}

/** Turns an attribute key into a label: `retreatCost` becomes "Retreat cost". */
function nameOf(key: string): string {
  const words = key.replaceAll(/([A-Z]|\d+)/g, ' $1').toLowerCase()
  return NAMES[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
