import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { UpdatedWebhook } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { useShowSecret } from '../components/secret-dialog.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { useLiveQuery } from '../hooks/use-live-query.ts'
import { clearQueryCache, useQuery } from '../hooks/use-query.ts'
import { useSession } from '../session.tsx'
import { useAlertCards } from './alert-cards.ts'
import { AlertPanel } from './alert-panel.tsx'
import { alertSecret } from './alert-secret.tsx'
import { alertsUrl } from './alert-text.ts'
import { DeliveryList } from './delivery-list.tsx'
import { NewAlert } from './new-alert.tsx'

/** Price alerts: all watches of the account, or one of them with what it has sent. */
export function AlertsView() {
  const { me } = useSession()
  const query = new URLSearchParams(useSearch())
  const watchId = query.get('watch')
  if (watchId !== null) return <AlertView id={watchId} page={Number(query.get('page') ?? 1)} />
  return <AlertListView mayWatch={me != null && ENTITLED.includes(me.tier)} query={query} />
}

/** Tiers that have alerts. Where the API says otherwise, it says so. */
const ENTITLED: readonly string[] = ['pro', 'business']

function AlertListView({ mayWatch, query }: { mayWatch: boolean; query: URLSearchParams }) {
  const [, go] = useLocation()
  const tellSecret = useShowAlertSecret()
  const asked = useQuery('watches', (signal) => api.get('/v1/webhooks', { signal }))
  const watches = asked.data?.data ?? []
  const cards = useAlertCards(watches.map(({ card_id }) => card_id))
  const card = query.get('card')
  const isMaking = mayWatch && (card !== null || query.has('new'))
  return (
    <Page
      title="Price alerts"
      lead="A message to an address of yours when a card reaches your price."
      aside={
        mayWatch &&
        !isMaking && (
          <Link className="button main" href={alertsUrl({ new: 1 })}>
            New alert
          </Link>
        )
      }
    >
      <div className="stack">
        {!mayWatch && <NeedsPro />}
        {isMaking && (
          <NewAlert
            cardId={card === null ? undefined : Number(card)}
            onChoose={(id) => go(alertsUrl(id === undefined ? { new: 1 } : { card: id }))}
            onCancel={() => go(alertsUrl({}))}
            onCreated={(made) => {
              tellSecret(made)
              clearQueryCache()
              asked.again()
              go(alertsUrl({}))
            }}
          />
        )}
        {asked.state === 'failed' && <ErrorMessage error={asked.error} again={asked.again} />}
        {asked.state === 'loading' && asked.data === undefined && <LineSkeleton />}
        {asked.data !== undefined && watches.length === 0 && mayWatch && !isMaking && <Empty />}
        {watches.length > 0 && (
          <ul className="stack" aria-label="Your alerts">
            {watches.map((watch) => (
              <li key={watch.id}>
                <AlertPanel
                  alert={watch}
                  card={cards.get(watch.card_id)}
                  onChanged={(changed) => {
                    tellSecret(changed)
                    clearQueryCache()
                    asked.again()
                  }}
                  onDeleted={() => {
                    clearQueryCache()
                    asked.again()
                    document.querySelector('h1')?.focus()
                  }}
                >
                  <Link className="button" href={alertsUrl({ watch: watch.id })}>
                    Messages
                  </Link>
                </AlertPanel>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  )
}

const ALERTS = [{ href: alertsUrl({}), name: 'Price alerts' }]

function AlertView({ id, page }: { id: string; page: number }) {
  const [, go] = useLocation()
  const tellSecret = useShowAlertSecret()
  const path = { webhook_id: id }
  const asked = useQuery(`watch ${id}`, (signal) =>
    api.get('/v1/webhooks/{webhook_id}', { path, signal }),
  )
  const [isWaiting, setWaiting] = useState(false)
  const live = useLiveQuery(
    `messages ${id} ${page}`,
    async (signal) => {
      const query = { page, per_page: 20 }
      const reply = await api.get('/v1/webhooks/{webhook_id}/deliveries', { path, query, signal })
      setWaiting(reply.data.some(({ state }) => state === 'pending'))
      return reply
    },
    isWaiting ? 5_000 : undefined,
  )
  const watch = asked.data?.data
  const cards = useAlertCards(watch === undefined ? [] : [watch.card_id])
  return (
    <Page
      title={watch?.card_name ?? 'Alert'}
      lead="What was sent, and how that went."
      crumbs={ALERTS}
    >
      <div className="stack">
        {asked.state === 'failed' && <ErrorMessage error={asked.error} again={asked.again} />}
        {asked.state === 'loading' && watch === undefined && <LineSkeleton />}
        {watch !== undefined && (
          <>
            <AlertPanel
              alert={watch}
              card={cards.get(watch.card_id)}
              onChanged={(changed) => {
                tellSecret(changed)
                clearQueryCache()
                asked.again()
                live.refetch()
              }}
              onDeleted={() => {
                clearQueryCache()
                go(alertsUrl({}))
              }}
            />
            <DeliveryList watchId={id} live={live} />
          </>
        )}
      </div>
    </Page>
  )
}

/** Shows the secret that a change brought, where it brought one. */
function useShowAlertSecret(): (watch: UpdatedWebhook) => void {
  const tell = useShowSecret()
  return (watch) => {
    const secret = alertSecret(watch)
    if (secret !== undefined) tell(secret)
  }
}

function NeedsPro() {
  return (
    <section className="note" aria-labelledby="needs-pro">
      <h2 id="needs-pro">Alerts come with Pro</h2>
      <p>
        Choose a card and a price. When a sync finds the price there, a signed message is posted to
        your own address, and is tried again for three days until it arrives.
      </p>
      <Link className="button main" href="/account/plan">
        See the plans
      </Link>
    </section>
  )
}

function Empty() {
  return (
    <div className="note">
      <h2>No price is watched yet</h2>
      <p>
        Choose a card, a price, and where the message goes. It is told once, when it comes true.
      </p>
      <Link className="button" href={alertsUrl({ new: 1 })}>
        Make the first alert
      </Link>
    </div>
  )
}
