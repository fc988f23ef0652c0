import { useState } from 'react'
import type { ChangedWatch, Watch } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Act } from '../components/busy-button.tsx'
import { Field } from '../components/field.tsx'
import { Refusal } from '../components/form-error.tsx'
import { useDeed } from '../hooks/use-action.ts'
import { dollarsIn, fieldFaultsOf, NO_AMOUNT, otherFault } from './alert-text.ts'

type WatchEditProps = {
  watch: Watch
  onChanged: (watch: ChangedWatch) => void
  onClose: () => void
}

/** Another threshold, another address, another secret. */
export function WatchEdit({ watch, onChanged, onClose }: WatchEditProps) {
  const [typed, setTyped] = useState({ threshold: String(watch.threshold), url: watch.url })
  const threshold = dollarsIn(typed.threshold)
  const path = { webhook_id: watch.id }
  const save = useDeed(async () => {
    const body = { threshold: threshold ?? watch.threshold, url: typed.url }
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
    onClose()
  })
  const rotate = useDeed(async () => {
    const body = { rotate_secret: true } as const
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
    onClose()
  })
  const faults = fieldFaultsOf(save.error)
  return (
    <form
      noValidate
      className="wish watch-edit"
      aria-label={`Edit the alert of ${watch.card_name ?? `card ${watch.card_id}`}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (threshold !== undefined) void save.start()
      }}
    >
      <Field
        label={`Price in US dollars, ${watch.condition === 'above' ? 'or above' : 'or below'}`}
        name="threshold"
        inputMode="decimal"
        autoComplete="off"
        value={typed.threshold}
        onChange={({ target }) => setTyped({ ...typed, threshold: target.value })}
        fault={threshold === undefined ? NO_AMOUNT : faults.threshold}
      />
      <Field
        label="Where messages are posted to"
        name="url"
        type="url"
        value={typed.url}
        onChange={({ target }) => setTyped({ ...typed, url: target.value })}
        fault={faults.url}
      />
      <Refusal error={otherFault(save.error) ?? rotate.error} />
      <div className="row">
        <Act type="submit" className="main" isRunning={save.isRunning}>
          Save
        </Act>
        <button type="button" className="button quiet" onClick={onClose}>
          Cancel
        </button>
        <Act
          className="quiet apart"
          isRunning={rotate.isRunning}
          onClick={() => void rotate.start()}
        >
          New secret
        </Act>
      </div>
    </form>
  )
}
