import { type FormEvent, useRef, useState } from 'react'
import type { NewApiKey } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { useDeed } from '../../deed.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field } from '../../parts/field.tsx'
import { Refusal } from '../../parts/refusal.tsx'
import { firstRequest } from './asks.ts'

type NewKeyProps = { onMade: () => void; onClose: () => void }

/** Makes a key, and shows it: once, until its owner says that it is kept. */
export function NewKeyDialog({ onMade, onClose }: NewKeyProps) {
  const [made, setMade] = useState<NewApiKey>()
  if (made !== undefined) return <KeyDialog key="made" made={made} onClose={onClose} />
  return (
    <NameDialog
      onMade={(key) => {
        setMade(key)
        onMade()
      }}
      onClose={onClose}
    />
  )
}

type NameProps = { onMade: (key: NewApiKey) => void; onClose: () => void }

function NameDialog({ onMade, onClose }: NameProps) {
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
  return (
    // While it is being made it must not be lost.
    <Dialog
      title="Make a key"
      mayClose={!make.isRunning}
      onClose={() => {
        if (!make.isRunning) onClose()
      }}
    >
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
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <Act type="submit" className="main" isRunning={make.isRunning}>
            Make the key
          </Act>
        </div>
      </form>
    </Dialog>
  )
}

function KeyDialog({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const [isWarned, setWarned] = useState(false)
  const kept = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={`Your key “${made.name}”`}
      mayClose={false}
      onClose={() => {
        setWarned(true)
        kept.current?.focus()
      }}
    >
      <div className="stack">
        <p>This is the only time that it is shown. Copy it to where you keep passwords.</p>
        <Copy what="key" text={made.key} main />
        <div>
          <h3>Try it</h3>
          <Copy what="request" text={firstRequest(made.key)} />
        </div>
        <p className={isWarned ? 'field-fault' : 'unseen'} role="alert">
          {isWarned && 'Once this is closed, nobody can show you the key again. Do you have it?'}
        </p>
        <div className="row end">
          <button ref={kept} type="button" className="button" onClick={onClose}>
            I have kept it
          </button>
        </div>
      </div>
    </Dialog>
  )
}
