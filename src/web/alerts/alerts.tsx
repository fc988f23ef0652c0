import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from 'wouter'
import type { UpdatedWebhook } from '#client/endpoints.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { PlansLink } from '../components/plans-link.tsx'
import { useShowSecret } from '../components/secret-dialog.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { HowMade } from '../pricing/how-made.tsx'
import { apiQuery, forgetAnswers, refetchAfterChange } from '../query-client.ts'
import { useSession } from '../session.ts'
import { useAlertCards } from './alert-cards.ts'
import { AlertPanel } from './alert-panel.tsx'
import { ALERTS_GUIDE, alertsUrl } from './alert-text.ts'
import { DeliveryList } from './delivery-list.tsx'
import { NewAlert } from './new-alert.tsx'

/** Shows all price alerts of the account, or one of them with its deliveries. */
export function AlertsView() {
  const { me } = useSession()
  const query = new URLSearchParams(useSearch())
  const alertId = query.get('watch')
  if (alertId !== null) return <AlertView id={alertId} page={Number(query.get('page') ?? 1)} />
  return <AlertListView hasAlerts={me != null && ENTITLED.includes(me.tier)} query={query} />
}

/** Tiers that include alerts. Only decides what is shown: the API enforces it. */
const ENTITLED: readonly string[] = ['pro', 'business']

function AlertListView({ hasAlerts, query }: { hasAlerts: boolean; query: URLSearchParams }) {
  const [, go] = useLocation()
  const takeChange = useTakeChange()
  const result = useQuery(apiQuery('/v1/webhooks'))
  const alerts = result.data?.data ?? []
  const cards = useAlertCards(alerts)
  const card = query.get('card')
  const isCreating = hasAlerts && (card !== null || query.has('new'))
  return (
    <Page
      title="Webhooks"
      lead="Get a webhook when a card reaches your price."
      aside={
        hasAlerts &&
        !isCreating && (
          <Link className="button main" href={alertsUrl({ new: 1 })}>
            New alert
          </Link>
        )
      }
    >
      <div className="stack">
        {!hasAlerts && <NeedsPro />}
        {isCreating && (
          <NewAlert
            cardId={card === null ? undefined : Number(card)}
            onChoose={(id) => go(alertsUrl(id === undefined ? { new: 1 } : { card: id }))}
            onCancel={() => go(alertsUrl({}))}
            onCreated={(created) => {
              takeChange(created)
              go(alertsUrl({}))
            }}
          />
        )}
        <QueryError query={result} />
        {result.isPending && <LineSkeleton />}
        {result.data !== undefined && alerts.length === 0 && hasAlerts && !isCreating && <Empty />}
        {alerts.length > 0 && (
          <ul className="stack" aria-label="Your alerts">
            {alerts.map((alert) => (
              <li key={alert.id}>
                <AlertPanel
                  alert={alert}
                  card={cards(alert)}
                  onChanged={takeChange}
                  onDeleted={() => {
                    refetchAfterChange('/v1/webhooks')
                    document.querySelector('h1')?.focus()
                  }}
                >
                  <Link className="button" href={alertsUrl({ watch: alert.id })}>
                    Deliveries
                  </Link>
                </AlertPanel>
              </li>
            ))}
          </ul>
        )}
        {alerts.length > 0 && <HowMade of={['market-price']} />}
      </div>
    </Page>
  )
}

const ALERTS = [{ href: alertsUrl({}), name: 'Webhooks' }]

function AlertView({ id, page }: { id: string; page: number }) {
  const [, go] = useLocation()
  const takeChange = useTakeChange()
  const result = useQuery(apiQuery('/v1/webhooks/{webhook_id}', { path: { webhook_id: id } }))
  const alert = result.data?.data
  const cards = useAlertCards(alert === undefined ? [] : [alert])
  return (
    <Page title={alert?.card_name ?? 'Alert'} lead="Deliveries and their results." crumbs={ALERTS}>
      <div className="stack">
        <QueryError query={result} />
        {result.isPending && <LineSkeleton />}
        {alert !== undefined && (
          <>
            <AlertPanel
              alert={alert}
              card={cards(alert)}
              onChanged={takeChange}
              onDeleted={() => {
                forgetAnswers()
                go(alertsUrl({}))
              }}
            />
            <DeliveryList alertId={id} page={page} />
          </>
        )}
      </div>
    </Page>
  )
}

/** Returns a function that refetches after a change of an alert, and shows its new signing secret, if it has one. */
function useTakeChange(): (alert: UpdatedWebhook) => void {
  const showSecret = useShowSecret()
  return ({ card_name, card_id, secret }) => {
    refetchAfterChange('/v1/webhooks')
    if (secret === undefined) return
    showSecret({
      title: `Webhook secret for ${card_name ?? `card ${card_id}`}`,
      noun: 'secret',
      text: secret,
      lead: 'Deliveries are signed with this secret. It is shown only once, so save it now.',
      more: (
        <p>
          <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
            How to verify signatures
          </a>
        </p>
      ),
    })
  }
}

function NeedsPro() {
  return (
    <section className="note" aria-labelledby="needs-pro">
      <h2 id="needs-pro">Webhooks require Pro</h2>
      <p>
        Choose a card and a price. When the card reaches it, Cardstock sends a signed webhook to
        your URL. Failed deliveries are retried for three days. Alerts for people are free: choose
        the bell of a card.
      </p>
      <p>
        <PlansLink className="button main" />
      </p>
    </section>
  )
}

function Empty() {
  return (
    <div className="note">
      <h2>No alerts yet</h2>
      <p>
        Choose a card, a price and a webhook URL. You get one alert each time the price is reached.
      </p>
      <Link className="button" href={alertsUrl({ new: 1 })}>
        Create alert
      </Link>
    </div>
  )
}
