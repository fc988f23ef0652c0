import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { toDollars } from '#rules/primitives/money.ts'
import type { Notification } from '#store/ledger/alerts/notifications.ts'
import type { PriceAlert } from '#store/ledger/alerts/price-rules.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Described, nullable, PagingSchema, Time, timeText } from './members.ts'
import { PRICE_ORIGIN } from './prices.ts'

// Schemas of price alerts for people and their notifications, and the functions that render them.

/** Members of a rule that define when its price is reached. */
export const WATCHED = {
  card_id: Type.Integer(),
  card_name: nullable(Described('Null: the card is not in the catalog.')),
  printing: nullable(Described('Null: the most expensive one.')),
  condition: Described('`above` or `below`, inclusive of the threshold.'),
}

export const LastAlertAt = Time('The newest alert of the last 30 days.')

export const PersonalAlertSchema = namedObject('PersonalAlert', {
  id: Type.String(),
  ...WATCHED,
  threshold: Type.Number({ description: 'In `currency`.' }),
  currency: Described('Currency of the threshold.'),
  source: nullable(Described('Null: the sources of the currency.')),
  is_paused: Type.Boolean(),
  created_at: DateTime,
  updated_at: DateTime,
  last_alert_at: LastAlertAt,
})

export const AlertLimitsSchema = extendObject('AlertLimits', PagingSchema, {
  alerts_max: nullable(
    Type.Integer({ description: 'Price alerts that the account can have. Null: no limit.' }),
  ),
})

export const NotificationSchema = namedObject('Notification', {
  id: Described('ID, which is the same on every channel. Later notifications have greater IDs.'),
  kind: stringEnum(['alert', 'channel'], '`channel`: a channel has stopped.'),
  source_id: Described('ID of the price alert or of the channel.'),
  created_at: DateTime,
  read_at: Time('Null: unread.'),
  alert: nullable(
    namedObject('NotifiedAlert', {
      card_id: Type.Integer(),
      card_name: Type.String(),
      printing: nullable(Described('Null: the most expensive one.')),
      condition: stringEnum(ALERT_CONDITIONS),
      threshold: Type.Number({ description: 'In `currency`.' }),
      current_price: Type.Number({ description: 'In `currency`.' }),
      ...PRICE_ORIGIN,
      currency: Type.String(),
      timestamp: DateTime,
    }),
  ),
})

export const NotificationsMetaSchema = extendObject('NotificationsMeta', PagingSchema, {
  unread: Type.Integer({ description: 'Unread notifications, up to 100.' }),
})

/** Renders price alerts for their owner. */
export function renderPriceAlerts(
  { catalog }: Pick<Deps, 'catalog'>,
  alerts: readonly PriceAlert[],
) {
  const names = catalog.cards.getNames(alerts.map(({ card_id }) => card_id))
  return alerts.map(({ account_id: _, threshold, currency, ...alert }) => ({
    ...alert,
    currency: currency ?? MIRROR_KIND.currency,
    card_name: names.get(alert.card_id) ?? null,
    threshold: toDollars(threshold),
    created_at: timeText(alert.created_at),
    updated_at: timeText(alert.updated_at),
    last_alert_at: timeText(alert.last_alert_at),
  }))
}

export function renderPriceAlert(deps: Pick<Deps, 'catalog'>, alert: PriceAlert) {
  const [rendered] = renderPriceAlerts(deps, [alert])
  if (rendered === undefined) throw new Error('renderPriceAlerts returned no entry for its input')
  return rendered
}

/** Renders a notification for its account. */
export function renderNotification({ body, created_at, read_at, ...rest }: Notification) {
  const { id, kind, source_id } = rest
  const { event: _, ...alert } = JSON.parse(body) // the shape that the relay has stored
  return {
    id,
    kind,
    source_id,
    created_at: timeText(created_at),
    read_at: timeText(read_at),
    alert: kind === 'alert' ? { currency: MIRROR_KIND.currency, ...alert } : null,
  }
}
