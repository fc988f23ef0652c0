import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { PersonalAlert } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/alerts.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { agoText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { defineQuery, fetchAllPages, refetchAfterChange } from '../query-client.ts'
import { conditionText, printingText } from './alert-text.ts'

/** Lists the price alerts of the account. */
export function PriceAlertList() {
  const result = useQuery(
    defineQuery(['/v1/alerts', 'all'], (signal) =>
      fetchAllPages((query) => api.get('/v1/alerts', { query, signal })),
    ),
  )
  const alerts = result.data?.data ?? []
  return (
    <section className="stack tight" aria-labelledby="price-alerts">
      <h2 id="price-alerts">{texts.watchedPrices}</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {result.data !== undefined && alerts.length === 0 && (
        <p className="note">
          {texts.noWatchedPrices((text) => (
            <Link href="/search">{text}</Link>
          ))}
        </p>
      )}
      {alerts.length > 0 && (
        <ul className="panel notifications">
          {alerts.map((alert) => (
            <PriceAlertItem key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </section>
  )
}

function PriceAlertItem({ alert }: { alert: PersonalAlert }) {
  const { id, card_id, card_name, is_paused, last_alert_at } = alert
  const path = { id }
  const toggle = useAction(async () => {
    await api.patch('/v1/alerts/{id}', { path, body: { is_paused: !is_paused } })
    refetchAfterChange('/v1/alerts')
  })
  const remove = useAction(async () => {
    await api.delete('/v1/alerts/{id}', { path })
    refetchAfterChange('/v1/alerts')
  })
  const name = card_name ?? texts.card(card_id)
  return (
    <li className="notification with-actions">
      <div>
        <p>
          {texts.priceOf({
            card: <Link href={`/cards/${card_id}`}>{name}</Link>,
            condition: <b>{conditionText(alert)}</b>,
          })}
          {is_paused && <span className="tag">{texts.paused}</span>}
        </p>
        <p className="small soft">
          {printingText(alert.printing)}
          {last_alert_at !== null && ` · ${texts.lastAlert(agoText(last_alert_at))}`}
        </p>
        <FormError error={toggle.error ?? remove.error} />
      </div>
      <div className="row tight">
        <Button
          action={toggle}
          aria-label={(is_paused ? texts.resumeNamed : texts.pauseNamed)(name)}
        >
          {is_paused ? texts.resume : texts.pause}
        </Button>
        <Button className="quiet danger" action={remove} aria-label={texts.deleteNamed(name)}>
          {texts.deleteLabel}
        </Button>
      </div>
    </li>
  )
}
