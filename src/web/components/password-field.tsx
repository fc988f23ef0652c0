import { useState } from 'react'
import { Field, type FieldProps } from './field.tsx'

/** A password, which can be looked at while it is typed. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'suffix'>) {
  const [isShown, setShown] = useState(false)
  const deed = isShown ? 'Hide' : 'Show'
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
          aria-label={`${deed} the ${props.label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
        >
          {deed}
        </button>
      }
    />
  )
}
