import { type ReactNode, useState } from 'react'
import * as texts from '#texts/components/controls.ts'
import type { ApiError } from '../api.ts'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { FormError } from './form-error.tsx'

type NameDialogProps = {
  title: string
  /** Name before the change; by default none. */
  name?: string
  submitLabel?: string
  /** Stores the name, which is trimmed and not empty. */
  save: (name: string) => Promise<void>
  /** Returns an explanation for errors whose message is not sufficient. */
  explain?: (error: ApiError) => ReactNode
  /** Further fields, above the name. */
  children?: ReactNode
  onClose: () => void
}

/** Asks for a name. */
export function NameDialog(props: NameDialogProps) {
  const { title, submitLabel = texts.save, save, explain, children, onClose } = props
  const [name, setName] = useState(props.name ?? '')
  const required = useRequiredFields()
  const action = useAction(() => save(name.trim()))
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate className="stack" onSubmit={required.submitTo(action)}>
        {(action.error && explain?.(action.error)) ?? <FormError error={action.error} />}
        {children}
        <Field
          label={texts.name}
          name="name"
          required
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={required.errorOf('name', texts.name, name)}
        />
        <div className="row end">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" className="main" isBusy={action.isRunning}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
