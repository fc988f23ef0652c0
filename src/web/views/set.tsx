import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { useAsk } from '../ask.ts'
import { dayText, plural } from '../format.ts'
import { TileBones } from '../parts/bones.tsx'
import { Fault } from '../parts/fault.tsx'
import { Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { CardTile } from '../parts/tile.tsx'

/** A set's cards with their pictures and prices. */
export function SetView({ id }: { id: number }) {
  const page = Number(new URLSearchParams(useSearch()).get('page') ?? 1)
  const [, go] = useLocation()
  const set = useAsk(`set ${id}`, (signal) => api.get('/v1/sets/{id}', { path: { id }, signal }))
  const cards = useAsk(`cards of ${id} ${page}`, (signal) =>
    api.get('/v1/sets/{id}/cards', { path: { id }, query: { page, per_page: 60 }, signal }),
  )
  const told = set.data?.data
  const crumbs = [
    { href: '/', name: 'Games' },
    ...(told === undefined ? [] : [{ href: `/games/${told.game_slug}`, name: told.game_name }]),
  ]
  if (set.state === 'failed') {
    return (
      <Page title="Set" crumbs={crumbs}>
        <Fault error={set.error} again={set.again} />
      </Page>
    )
  }
  return (
    <Page
      title={told?.name ?? 'Set'}
      lead={
        told &&
        [
          told.abbreviation,
          told.release_date && dayText(told.release_date),
          plural(told.card_count, 'card'),
        ]
          .filter(Boolean)
          .join(' · ')
      }
      crumbs={crumbs}
    >
      {cards.state === 'failed' && <Fault error={cards.error} again={cards.again} />}
      {cards.state === 'loading' && <TileBones />}
      {cards.state === 'ready' && (
        <>
          <ul className="tiles">
            {cards.data.data.map((card, at) => (
              <CardTile key={card.id} card={card} eager={at < 12} />
            ))}
          </ul>
          <Pager meta={cards.data.meta} onPage={(next) => go(`/sets/${id}?page=${next}`)} />
        </>
      )}
    </Page>
  )
}
