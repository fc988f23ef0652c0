import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Card } from '#client/endpoints.ts'
import * as texts from '#texts/catalog/card.ts'
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
  const long = printed.filter(isText)
  return (
    <section className="panel" aria-labelledby="about">
      <h2 id="about">{texts.cardDetails}</h2>
      <Facts className="card-facts" rows={[...factsOf(card), ...values]} />
      {long.length > 0 && (
        <Facts
          className="texts"
          rows={long.map(([key, value]) => [
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
      texts.set,
      <Link key="set" href={`/sets/${card.set_id}`}>
        {card.set_name}
      </Link>,
    ],
    [texts.number, card.number],
    [texts.rarity, card.rarity],
    [texts.product, card.product_type === 'Cards' ? texts.card : card.product_type],
    [texts.finish, card.foil_only === 1 ? texts.foilOnly : null],
    [texts.status, card.product_status_id === PRESALE ? texts.presale : null],
    [texts.listings, card.total_listings > 0 ? count(card.total_listings) : null],
  ]
  return facts.flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
}

const PRESALE = 20

const TEXTS = /^(attack\d|description|oracleText|flavorText)$/

const NAMES: Readonly<Record<string, string>> = {
  hp: 'HP',
  color: texts.color,
  oracleText: texts.rules,
  flavorText: texts.flavor,
  description: texts.text,
}

/** Turns an attribute key into a label: `retreatCost` becomes "Retreat cost". */
function nameOf(key: string): string {
  const words = key.replaceAll(/([A-Z]|\d+)/g, ' $1').toLowerCase()
  return NAMES[key] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
