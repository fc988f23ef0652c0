import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useSearch } from 'wouter'
import type { UpdatedWebhook } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
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
      title={texts.webhooks}
      lead={texts.webhooksLead}
      aside={
        hasAlerts &&
        !isCreating && (
          <Link className="button main" href={alertsUrl({ new: 1 })}>
            {texts.newAlert}
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
          <ul className="stack" aria-label={texts.yourAlerts}>
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
                    {texts.deliveries}
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

const ALERTS = [{ href: alertsUrl({}), name: texts.webhooks }]

function AlertView({ id, page }: { id: string; page: number }) {
  const [, go] = useLocation()
  const takeChange = useTakeChange()
  const result = useQuery(apiQuery('/v1/webhooks/{webhook_id}', { path: { webhook_id: id } }))
  const alert = result.data?.data
  const cards = useAlertCards(alert === undefined ? [] : [alert])
  return (
    <Page title={alert?.card_name ?? texts.alert} lead={texts.deliveriesLead} crumbs={ALERTS}>
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
      title: card_name === null ? texts.secretForId(card_id) : texts.secretFor(card_name),
      noun: 'secret',
      text: secret,
      lead: texts.deliveriesAreSigned,
      more: (
        <p>
          <a href={ALERTS_GUIDE} target="_blank" rel="noopener">
            {texts.howToVerifySignatures}
          </a>
        </p>
      ),
    })
  }
}

function NeedsPro() {
  return (
    <section className="note" aria-labelledby="needs-pro">
      <h2 id="needs-pro">{texts.webhooksRequirePro}</h2>
      <p>{texts.proExplained}</p>
      <p>
        <PlansLink className="button main" />
      </p>
    </section>
  )
}

function Empty() {
  return (
    <div className="note">
      <h2>{texts.noAlertsYet}</h2>
      <p>{texts.noAlertsYetText}</p>
      <Link className="button" href={alertsUrl({ new: 1 })}>
        {texts.createAlert}
      </Link>
    </div>
  )
}
