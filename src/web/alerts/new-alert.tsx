import { useState } from 'react'
import { Link } from 'wouter'
import type { CreatedWebhook, Price } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
import { api } from '../api.ts'
import { useCard, usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { useCurrency } from '../pricing/currency.ts'
import { CardSearch } from '../search/card-search.tsx'
import {
  type AlertDraft,
  ConditionFields,
  draftWebhook,
  formLevelError,
  PrintingField,
  useAlertForm,
  WebhookFields,
} from './alert-form.tsx'

type NewAlertProps = {
  /** Undefined until a card is chosen. */
  cardId: number | undefined
  onChoose: (cardId: number | undefined) => void
  onCreated: (alert: CreatedWebhook) => void
  onCancel: () => void
}

/** Creates an alert in the currency of the page. Choosing another card keeps the rest of the form. */
export function NewAlert({ cardId, onChoose, onCreated, onCancel }: NewAlertProps) {
  const [webhook, setWebhook] = useState(draftWebhook())
  const required = useRequiredFields()
  const form = useAlertForm(EMPTY_DRAFT, async (watched) => {
    onCreated((await api.post('/v1/webhooks', { body: { ...webhook, ...watched } })).data)
  })

  return (
    <section className="panel new-alert" aria-labelledby="new-alert">
      <h2 id="new-alert">{texts.newAlert}</h2>
      {cardId === undefined ? (
        <div className="stack">
          <CardSearch onChoose={onChoose} />
          <div className="row">
            <Button className="quiet" onClick={onCancel}>
              {texts.cancel}
            </Button>
          </div>
        </div>
      ) : (
        <ChosenCard key={cardId} id={cardId} onChangeCard={() => onChoose(undefined)}>
          {(prices) => (
            <form
              noValidate
              className="alert-form"
              onSubmit={(event) => {
                form.markSubmitted()
                required.submitTo({ start: () => form.action.start(cardId) })(event)
              }}
            >
              <ConditionFields form={form} prices={prices} />
              <PrintingField form={form} prices={prices} />
              <WebhookFields
                isNew
                draft={webhook}
                onChange={(typed) => {
                  form.action.clearError()
                  setWebhook(typed)
                }}
                required={required}
                errors={form.errors}
              />
              <FormError error={formLevelError(form.action.error)} />
              <div className="row">
                <Button type="submit" className="main" isBusy={form.action.isRunning}>
                  {texts.createAlert}
                </Button>
                <Button className="quiet" onClick={onCancel}>
                  {texts.cancel}
                </Button>
              </div>
            </form>
          )}
        </ChosenCard>
      )}
    </section>
  )
}

const EMPTY_DRAFT: AlertDraft = { threshold: '', condition: 'below', printing: '' }

type ChosenCardProps = {
  id: number
  onChangeCard: () => void
  children: (prices: readonly Price[]) => React.ReactNode
}

/** Shows the chosen card beside the form. */
function ChosenCard({ id, onChangeCard, children }: ChosenCardProps) {
  const result = useCard(id)
  const { currency } = useCurrency()
  const prices = usePrices(id, currency)
  const card = result.data?.data
  if (result.isError) {
    return (
      <div className="stack">
        <QueryError query={result} />
        <ChangeCardButton onChangeCard={onChangeCard} />
      </div>
    )
  }
  return (
    <div className="chosen">
      <div className="chosen-card">
        {card === undefined ? (
          <span className="art skeleton" />
        ) : (
          <CardImage src={cardImageUrl(card)} face={card} size="small" />
        )}
        <div className="stack tight">
          {card === undefined ? (
            <Skeleton />
          ) : (
            <div>
              <h3>
                <Link href={`/cards/${id}`}>{card.name}</Link>
              </h3>
              <p className="small soft">
                {[card.set_name, card.number].filter(Boolean).join(' · ')}
              </p>
            </div>
          )}
          <ChangeCardButton onChangeCard={onChangeCard} />
        </div>
      </div>
      {children(prices.data ?? [])}
    </div>
  )
}

function ChangeCardButton({ onChangeCard }: { onChangeCard: () => void }) {
  return (
    <div>
      <Button onClick={onChangeCard}>{texts.changeCard}</Button>
    </div>
  )
}
