import type { ComponentProps } from 'react'
import type { AsyncAction } from '../hooks/use-action.ts'

type ButtonProps = ComponentProps<'button'> & {
  /** Starts on a click. The button is busy while it runs. */
  action?: Pick<AsyncAction<[]>, 'start' | 'isRunning'>
  /** Marks the button as disabled but keeps the focus on it. */
  isBusy?: boolean
}

export function Button({
  action,
  isBusy = action?.isRunning,
  type = 'button',
  className = '',
  ...props
}: ButtonProps) {
  return (
    <button
      onClick={action && (() => void action.start())}
      {...props}
      type={type}
      className={`button ${className}`}
      aria-disabled={isBusy || undefined}
    />
  )
}
