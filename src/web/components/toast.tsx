import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './button.tsx'

/** Time in milliseconds after which a message disappears: enough to read it and to reach its button. */
const SHOWN_MS = 10_000

/** Message above all pages, which disappears by itself unless the pointer or the focus is in it. */
export function Toast({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setInterval(() => {
      if (box.current?.matches(':hover, :focus-within') !== true) onClose()
    }, SHOWN_MS)
    return () => clearInterval(timer)
  }, [onClose])
  return (
    <div ref={box} className="toast" role="status">
      {children}
      <Button className="quiet" aria-label="Close" onClick={onClose}>
        ×
      </Button>
    </div>
  )
}
