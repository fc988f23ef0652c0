import { type FormEvent, useState } from 'react'
import type { NewApiKey } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Act } from '../components/busy-button.tsx'
import { Copy } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { Refusal } from '../components/form-error.tsx'
import type { OnceTold } from '../components/secret-dialog.tsx'
import { useDeed } from '../hooks/use-action.ts'
import { firstRequest } from './queries.ts'

type NewKeyProps = { onMade: (key: NewApiKey) => void; onClose: () => void }

/** Asks for the name of a key, and makes it. */
export function NewKeyDialog({ onMade, onClose }: NewKeyProps) {
  const [name, setName] = useState('')
  const make = useDeed(async () => {
    // Without a name the service gives it one.
    const body = name.trim() === '' ? {} : { name: name.trim() }
    onMade((await api.post('/v1/keys', { body })).data)
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
        {!isOfName && <Refusal error={make.error} />}
        <Field
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Default"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint="What uses it, so that you know it again: “Shop window”."
          fault={isOfName ? make.error?.message : undefined}
        />
        <div className="row end">
          <Act isRunning={make.isRunning} onClick={leave}>
            Cancel
          </Act>
          <Act type="submit" className="main" isRunning={make.isRunning}>
            Make the key
          </Act>
        </div>
      </form>
    </Dialog>
  )
}

/** A new key, as it is told for the only time. */
export function newKeyOf({ name, key }: NewApiKey): OnceTold {
  return {
    title: `Your key “${name}”`,
    what: 'key',
    text: key,
    lead: 'This is the only time that it is shown. Copy it to where you keep passwords.',
    more: (
      <div>
        <h3>Try it</h3>
        <Copy what="request" text={firstRequest(key)} />
      </div>
    ),
  }
}
