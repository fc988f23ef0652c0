import type { ComponentProps } from 'react'

type BusyButtonProps = ComponentProps<'button'> & {
  /** While what it does is being done it stays where it is, and keeps the focus. */
  isBusy?: boolean
}

/** A button that does something which takes its time. */
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
