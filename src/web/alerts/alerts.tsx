import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import type { ChangedWatch } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Fault } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { useTellOnce } from '../components/secret-dialog.tsx'
import { LineBones } from '../components/skeleton.tsx'
import { useLive } from '../hooks/use-live-query.ts'
import { forgetAnswers, useAsk } from '../hooks/use-query.ts'
import { useSession } from '../session.tsx'
import { WatchPanel } from './alert-panel.tsx'
import { alertsAt } from './alert-text.ts'
import { useCards } from './cards.ts'
import { Messages } from './deliveries.tsx'
import { NewAlert } from './new-alert.tsx'
import { newSecretOf } from './new-secret.tsx'

/** Price alerts: all watches of the account, or one of them with what it has sent. */
export function AlertsView() {
  const { me } = useSession()
  const query = new URLSearchParams(useSearch())
  const watchId = query.get('watch')
  if (watchId !== null) return <OneWatch id={watchId} page={Number(query.get('page') ?? 1)} />
  return <AllWatches mayWatch={me != null && ENTITLED.includes(me.tier)} query={query} />
}

/** Tiers that have alerts. Where the API says otherwise, it says so. */
const ENTITLED: readonly string[] = ['pro', 'business']

function AllWatches({ mayWatch, query }: { mayWatch: boolean; query: URLSearchParams }) {
  const [, go] = useLocation()
  const tellSecret = useTellSecret()
  const asked = useAsk('watches', (signal) => api.get('/v1/webhooks', { signal }))
  const watches = asked.data?.data ?? []
  const cards = useCards(watches.map(({ card_id }) => card_id))
  const card = query.get('card')
  const isMaking = mayWatch && (card !== null || query.has('new'))
  return (
    <Page
      title="Price alerts"
      lead="A message to an address of yours when a card reaches your price."
      aside={
        mayWatch &&
        !isMaking && (
          <Link className="button main" href={alertsAt({ new: 1 })}>
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
            onChoose={(id) => go(alertsAt(id === undefined ? { new: 1 } : { card: id }))}
            onCancel={() => go(alertsAt({}))}
            onMade={(made) => {
              tellSecret(made)
              forgetAnswers()
              asked.again()
              go(alertsAt({}))
            }}
          />
        )}
        {asked.state === 'failed' && <Fault error={asked.error} again={asked.again} />}
        {asked.state === 'loading' && asked.data === undefined && <LineBones />}
        {asked.data !== undefined && watches.length === 0 && mayWatch && !isMaking && <Empty />}
        {watches.length > 0 && (
          <ul className="stack" aria-label="Your alerts">
            {watches.map((watch) => (
              <li key={watch.id}>
                <WatchPanel
                  watch={watch}
                  card={cards.get(watch.card_id)}
                  onChanged={(changed) => {
                    tellSecret(changed)
                    forgetAnswers()
                    asked.again()
                  }}
                  onDeleted={() => {
                    forgetAnswers()
                    asked.again()
                    document.querySelector('h1')?.focus()
                  }}
                >
                  <Link className="button" href={alertsAt({ watch: watch.id })}>
                    Messages
                  </Link>
                </WatchPanel>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Page>
  )
}

const ALERTS = [{ href: alertsAt({}), name: 'Price alerts' }]

function OneWatch({ id, page }: { id: string; page: number }) {
  const [, go] = useLocation()
  const tellSecret = useTellSecret()
  const path = { webhook_id: id }
  const asked = useAsk(`watch ${id}`, (signal) =>
    api.get('/v1/webhooks/{webhook_id}', { path, signal }),
  )
  const [isWaiting, setWaiting] = useState(false)
  const live = useLive(
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
  const cards = useCards(watch === undefined ? [] : [watch.card_id])
  return (
    <Page
      title={watch?.card_name ?? 'Alert'}
      lead="What was sent, and how that went."
      crumbs={ALERTS}
    >
      <div className="stack">
        {asked.state === 'failed' && <Fault error={asked.error} again={asked.again} />}
        {asked.state === 'loading' && watch === undefined && <LineBones />}
        {watch !== undefined && (
          <>
            <WatchPanel
              watch={watch}
              card={cards.get(watch.card_id)}
              onChanged={(changed) => {
                tellSecret(changed)
                forgetAnswers()
                asked.again()
                live.again()
              }}
              onDeleted={() => {
                forgetAnswers()
                go(alertsAt({}))
              }}
            />
            <Messages watchId={id} live={live} />
          </>
        )}
      </div>
    </Page>
  )
}

/** Shows the secret that a change brought, where it brought one. */
function useTellSecret(): (watch: ChangedWatch) => void {
  const tell = useTellOnce()
  return (watch) => {
    const secret = newSecretOf(watch)
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
      <Link className="button" href={alertsAt({ new: 1 })}>
        Make the first alert
      </Link>
    </div>
  )
}
