import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import * as texts from '#texts/search/search.ts'
import { FilterIcon } from '../action-icons.tsx'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { count } from '../format.ts'
import { useMediaQuery } from '../hooks/use-media-query.ts'

type FilterPanelProps = {
  /** Number of filters that are set. */
  set: number
  className?: string
  children: ReactNode
}

/** Filters of a list, applied immediately: beside or above it, on a phone in a sheet behind a button. */
export function FilterPanel({ set, className = '', children }: FilterPanelProps) {
  const isPhone = useMediaQuery('(max-width: 47.99rem)')
  const [isOpen, setOpen] = useState(false)
  const sheet = useRef<HTMLDivElement>(null)
  if (!isPhone) {
    if (isOpen) setOpen(false)
    return (
      <aside aria-label={texts.filters} className={`filters ${className}`}>
        {children}
      </aside>
    )
  }

  /** Fields apply what was typed when they are left. A value that they refuse keeps the sheet open. */
  function close(): void {
    const active = document.activeElement
    if (active instanceof HTMLElement) flushSync(() => active.blur())
    const refused = sheet.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (refused) refused.focus()
    else setOpen(false)
  }

  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <FilterIcon />
        {set > 0 ? texts.filtersOf(count(set)) : texts.filters}
      </Button>
      {isOpen && (
        <Dialog title={texts.filters} className="sheet" onClose={close}>
          <div ref={sheet} className="filters">
            {children}
          </div>
          <Button className="main" onClick={close}>
            {texts.showResults}
          </Button>
        </Dialog>
      )}
    </>
  )
}
