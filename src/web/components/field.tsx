import { type ComponentProps, type ReactNode, useId } from 'react'

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  name: string
  /** What helps to fill it in. */
  hint?: ReactNode
  /** What is wrong with it. */
  error?: ReactNode
  /** What stands within it, at its end. */
  suffix?: ReactNode
}

/** A labelled input; what is wrong with it is read out with it. */
export function Field({ label, hint, error, suffix, ...props }: FieldProps) {
  const id = useId()
  const told = error ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-input">
        <input
          {...props}
          id={id}
          className="input"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={told === undefined ? undefined : `${id}-told`}
        />
        {suffix}
      </div>
      {told !== undefined && (
        <p
          id={`${id}-told`}
          className={error === undefined ? 'field-note' : 'field-fault'}
          role={error === undefined ? undefined : 'alert'}
        >
          {told}
        </p>
      )}
    </div>
  )
}
