import { type ReactNode, useState } from 'react'
import * as texts from '#texts/components/controls.ts'
import type { ApiError } from '../api.ts'
import { fieldMessage } from '../field-message.ts'
import { Field, type FieldProps } from './field.tsx'

/** Required input for the e-mail of an account. */
export function EmailField(props: Omit<FieldProps, 'type' | 'label' | 'name'>) {
  return (
    <Field
      autoComplete="email"
      {...props}
      label={texts.email}
      name="email"
      type="email"
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  )
}

/** Help below a password to be set. */
export const PASSWORD_HINT = texts.passwordHint

/** Returns the error message for a new password. */
export function passwordError(error: ApiError, label: string): string {
  const message = fieldMessage(error, label)
  return message.includes('at least 8') ? texts.passwordTooShort : message
}

/** Password input with a show button. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const action = isShown ? texts.hide : texts.show
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

/** Password input for a password to be set. @param failure error of the API about the password */
export function NewPasswordField({
  error,
  failure,
  ...props
}: Omit<FieldProps, 'type' | 'suffix'> & { error: ReactNode; failure: ApiError | undefined }) {
  return (
    <PasswordField
      autoComplete="new-password"
      required
      hint={PASSWORD_HINT}
      {...props}
      error={error ?? (failure && passwordError(failure, props.label))}
    />
  )
}
