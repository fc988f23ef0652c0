import type { ComponentProps } from 'react'

type BusyButtonProps = ComponentProps<'button'> & {
  /** Marks the button as disabled but keeps the focus on it. */
  isBusy?: boolean
}

/** A button for an asynchronous action. */
export function BusyButton({
  isBusy = false,
  type = 'button',
  className,
  ...props
}: BusyButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className={`button ${className ?? ''}`}
      aria-disabled={isBusy || undefined}
    />
  )
}
