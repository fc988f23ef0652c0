import { useQuery } from '@tanstack/react-query'
import * as texts from '#texts/photos/identify.ts'
import { count } from '../format.ts'
import { apiQuery } from '../query-client.ts'

/** Milliseconds between two looks at a page: a card takes about half a second. */
const LOOK_MS = 1_000

/** Says how many cards of a page have been read, while the server reads it. */
export function PageSteps() {
  const { data } = useQuery({ ...apiQuery('/v1/identify/usage'), refetchInterval: LOOK_MS })
  const { cards, done } = data?.data.page ?? { cards: 0, done: 0 }
  if (cards === 0) return null
  return (
    <span className="soft">{texts.ofCardsRead({ done: count(done), cards: count(cards) })}</span>
  )
}
