import type { ComponentProps } from 'react'

type ActProps = ComponentProps<'button'> & {
  /** While what it does is being done it stays where it is, and keeps the focus. */
  isRunning?: boolean
}

/** A button that does something which takes its time. */
export function Act({ isRunning = false, type = 'button', className, ...props }: ActProps) {
  return (
    <button
      {...props}
      type={type}
      className={`button ${className ?? ''}`}
      aria-disabled={isRunning || undefined}
    />
  )
}
