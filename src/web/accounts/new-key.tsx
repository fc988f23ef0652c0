import { type FormEvent, useState } from 'react'
import type { NewApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import type { Secret } from '../components/secret-dialog.tsx'
import { useAction } from '../hooks/use-action.ts'
import { sampleRequest } from './queries.ts'

type NewKeyProps = { onCreated: (key: NewApiKey) => void; onClose: () => void }

/** Asks for the name of a key, and makes it. */
export function NewKeyDialog({ onCreated, onClose }: NewKeyProps) {
  const [name, setName] = useState('')
  const make = useAction(async () => {
    // Without a name the service gives it one.
    const body = name.trim() === '' ? {} : { name: name.trim() }
    onCreated((await api.post('/v1/keys', { body })).data)
  })
  const isOfName = make.error?.code === 'VALIDATION_ERROR'
  const send = (event: FormEvent) => {
    event.preventDefault()
    void make.start()
  }
  // Whoever leaves while it is being made is shown it all the same.
  const leave = () => {
    if (!make.isRunning) onClose()
  }
  return (
    <Dialog title="Make a key" mayClose={!make.isRunning} onClose={leave}>
      <form className="stack" onSubmit={send}>
        {!isOfName && <FormError error={make.error} />}
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Default"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint="What uses it, so that you know it again: “Shop window”."
          error={isOfName ? make.error?.message : undefined}
        />
        <div className="row end">
          <BusyButton isBusy={make.isRunning} onClick={leave}>
            Cancel
          </BusyButton>
          <BusyButton type="submit" className="main" isBusy={make.isRunning}>
            Make the key
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}

/** A new key, as it is told for the only time. */
export function keySecret({ name, key }: NewApiKey): Secret {
  return {
    title: `Your key “${name}”`,
    noun: 'key',
    text: key,
    lead: 'This is the only time that it is shown. Copy it to where you keep passwords.',
    more: (
      <div>
        <h3>Try it</h3>
        <CopyButton noun="request" text={sampleRequest(key)} />
      </div>
    ),
  }
}
