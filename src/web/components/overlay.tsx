import { createContext, type ReactNode, useContext, useState } from 'react'

const ShowContext = createContext<(overlay: ReactNode) => void>(() => {})

/** Returns a function that shows an overlay above all pages, until it is called with undefined. */
export function useOverlay(): (overlay: ReactNode) => void {
  return useContext(ShowContext)
}

/** Wraps all pages: an overlay survives navigation. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  const [overlay, setOverlay] = useState<ReactNode>()
  return (
    <ShowContext value={setOverlay}>
      {children}
      {overlay}
    </ShowContext>
  )
}
