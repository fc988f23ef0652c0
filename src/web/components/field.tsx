import { type ComponentProps, type ReactNode, useId } from 'react'

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  name: string
  /** Help text. */
  hint?: ReactNode
  /** Error message, shown instead of the hint. */
  error?: ReactNode
  /** Element at the end of the input. */
  suffix?: ReactNode
}

/** Labeled input with a hint or an error message. */
export function Field({ label, hint, error, suffix, ...props }: FieldProps) {
  const id = useId()
  const note = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-input">
        <input
          {...props}
          id={id}
          className="input"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
        />
        {suffix}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? 'field-note' : 'field-error'}
          role={error === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  )
}
