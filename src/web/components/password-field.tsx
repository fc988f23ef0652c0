import { useState } from 'react'
import type { ApiError } from '../api.ts'
import { fieldMessage } from '../field-message.ts'
import { Field, type FieldProps } from './field.tsx'

/** Returns the error message for a new password. */
export function passwordError(error: ApiError, label: string): string {
  const message = fieldMessage(error, label)
  return message.includes('at least 8') ? 'Use at least 8 characters.' : message
}

/** Password input with a show button. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const action = isShown ? 'Hide' : 'Show'
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      suffix={
        <button
          type="button"
          className="field-button"
          aria-label={`${action} ${props.label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
        >
          {action}
        </button>
      }
    />
  )
}
