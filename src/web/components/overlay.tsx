import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useRef,
  useState,
} from 'react'

/** Shows an overlay above all pages instead of the one before. Its `close` leaves a later one open. */
type ShowOverlay = (render: (close: () => void) => ReactNode) => void

const ShowContext = createContext<ShowOverlay>(() => {})

/** Returns a function that shows an overlay. */
export function useOverlay(): ShowOverlay {
  return useContext(ShowContext)
}

/** Wraps all pages: an overlay survives navigation. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  const count = useRef(0)
  const [shown, setShown] = useState<{ id: number; overlay: ReactNode }>()
  const show = useCallback<ShowOverlay>((render) => {
    const id = ++count.current
    const close = () => setShown((now) => (now?.id === id ? undefined : now))
    setShown({ id, overlay: render(close) })
  }, [])
  return (
    <ShowContext value={show}>
      {children}
      {shown && <Fragment key={shown.id}>{shown.overlay}</Fragment>}
    </ShowContext>
  )
}
