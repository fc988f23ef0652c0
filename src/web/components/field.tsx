import { type ComponentProps, type ReactNode, useId } from 'react'

export type FieldProps = Omit<ComponentProps<'input'>, 'id' | 'className'> & {
  label: string
  name: string
  /** What helps to fill it in. */
  hint?: ReactNode
  /** What is wrong with it. */
  fault?: ReactNode
  /** What stands within it, at its end. */
  end?: ReactNode
}

/** A labelled input; what is wrong with it is read out with it. */
export function Field({ label, hint, fault, end, ...props }: FieldProps) {
  const id = useId()
  const told = fault ?? hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="field-input">
        <input
          {...props}
          id={id}
          className="input"
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={told === undefined ? undefined : `${id}-told`}
        />
        {end}
      </div>
      {told !== undefined && (
        <p
          id={`${id}-told`}
          className={fault === undefined ? 'field-note' : 'field-fault'}
          role={fault === undefined ? undefined : 'alert'}
        >
          {told}
        </p>
      )}
    </div>
  )
}
