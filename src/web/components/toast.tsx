import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import * as texts from '#texts/components/controls.ts'
import { Button } from './button.tsx'

/** Time in milliseconds after which a message disappears: enough to read it and to reach its button. */
const SHOWN_MS = 10_000

/** Element that opened a toast. */
export type ToastOpener = {
  element: HTMLElement
  /** Moves the focus into the toast, which is far from the element for the keyboard. */
  isKeyboard: boolean
}

type ToastProps = {
  opener: ToastOpener
  /** True for errors, which stay until they are closed. */
  isLasting?: boolean
  children: ReactNode
  onClose: () => void
}

/**
 * Message above all pages, which disappears by itself unless the pointer or the focus is in it. The focus returns to its
 * opener.
 */
export function Toast({ opener, isLasting = false, children, onClose }: ToastProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const toast = box.current
    const { element, isKeyboard } = opener
    if (isKeyboard && document.activeElement === element) toast?.querySelector('button')?.focus()
    return () => {
      if (toast?.contains(document.activeElement)) element.focus()
    }
  }, [opener])
  useEffect(() => {
    if (isLasting) return
    const timer = setInterval(() => {
      if (box.current?.matches(':hover, :focus-within') !== true) onClose()
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [isLasting, onClose])
  return (
    <div ref={box} className="toast" role="status">
      {children}
      <Button className="quiet" aria-label={texts.close} onClick={onClose}>
        ×
      </Button>
    </div>
  )
}
