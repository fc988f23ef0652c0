import { useState } from 'react'
import type { UpdatedWebhook, Webhook } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/webhooks.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { DOLLARS } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { alertFieldErrors, draftWebhook, formLevelError, WebhookFields } from './alert-form.tsx'
import { invalidAmount, parseTypedAmount } from './alert-text.ts'

type EditAlertProps = {
  alert: Webhook
  onChanged: (alert: UpdatedWebhook) => void
  onClose: () => void
}

/** Changes the price, the URL or the secret of an alert. */
export function EditAlert({ alert, onChanged, onClose }: EditAlertProps) {
  const [typed, setTyped] = useState(String(alert.threshold))
  const [webhook, setWebhook] = useState(draftWebhook(alert))
  const threshold = parseTypedAmount(typed)
  const path = { webhook_id: alert.id }
  const save = useAction(async () => {
    const body = { threshold: threshold ?? alert.threshold, ...webhook }
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
    onClose()
  })
  const rotate = useAction(async () => {
    const body = { rotate_secret: true } as const
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
    onClose()
  })
  const required = useRequiredFields()
  const errors = alertFieldErrors(save.error)
  return (
    <form
      noValidate
      className="alert-form alert-edit"
      aria-label={
        alert.card_name === null
          ? texts.editAlertForId(alert.card_id)
          : texts.editAlertFor(alert.card_name)
      }
      onSubmit={required.submitTo({
        async start() {
          if (threshold !== undefined) await save.start()
        },
      })}
    >
      <Field
        label={(alert.condition === 'above' ? texts.priceOrMore : texts.priceOrLess)(
          alert.currency ?? DOLLARS,
        )}
        name="threshold"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        error={threshold === undefined ? invalidAmount(alert.currency) : errors.threshold}
      />
      <WebhookFields draft={webhook} onChange={setWebhook} required={required} errors={errors} />
      <FormError error={formLevelError(save.error) ?? rotate.error} />
      <div className="row">
        <Button type="submit" className="main" isBusy={save.isRunning}>
          {texts.save}
        </Button>
        <Button className="quiet" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button className="quiet apart" action={rotate}>
          {texts.createNewSecret}
        </Button>
      </div>
    </form>
  )
}
