import { useState } from 'react'
import type { CreatedApiKey } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/account.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import type { Secret } from '../components/secret-dialog.tsx'
import { fieldMessage } from '../field-message.ts'
import { submitTo, useAction } from '../hooks/use-action.ts'
import { sampleRequest } from './queries.ts'

type NewKeyProps = { onCreated: (key: CreatedApiKey) => void; onClose: () => void }

export function NewKeyDialog({ onCreated, onClose }: NewKeyProps) {
  const [name, setName] = useState('')
  const make = useAction(async () => {
    // The server chooses a default name.
    const body = name.trim() === '' ? {} : { name: name.trim() }
    onCreated((await api.post('/v1/keys', { body })).data)
  })
  const isOfName = make.error?.code === 'VALIDATION_ERROR'
  // The key must be shown even if the user tries to leave during the request.
  const leave = () => {
    if (!make.isRunning) onClose()
  }
  return (
    <Dialog title={texts.createKey} mayClose={!make.isRunning} onClose={leave}>
      <form className="stack" onSubmit={submitTo(make)}>
        {!isOfName && <FormError error={make.error} />}
        <Field
          label={texts.name}
          name="name"
          autoComplete="off"
          placeholder={texts.defaultLabel}
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          hint={texts.keyNameHint}
          error={isOfName && make.error ? fieldMessage(make.error, texts.name) : undefined}
        />
        <div className="row end">
          <Button isBusy={make.isRunning} onClick={leave}>
            {texts.cancel}
          </Button>
          <Button type="submit" className="main" isBusy={make.isRunning}>
            {texts.createKey}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Describes a new key for the secret dialog. */
export function keySecret({ name, key }: CreatedApiKey): Secret {
  return {
    title: texts.yourKey(name),
    noun: 'key',
    text: key,
    lead: texts.keyIsShownOnlyOnce,
    more: (
      <div>
        <h3>{texts.tryIt}</h3>
        <CopyButton noun="request" text={sampleRequest(key)} />
      </div>
    ),
  }
}
