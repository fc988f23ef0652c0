import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/frame.ts'
import { isHistoryNavigation } from '../hooks/navigation.ts'

type PageProps = {
  title: string
  /** Text below the title. */
  lead?: ReactNode
  /** Ancestor pages, outermost first. */
  crumbs?: readonly { href: string; name: string }[]
  /** Buttons beside the title. */
  aside?: ReactNode
  children: ReactNode
}

/** True after the first page, which must not take the focus from the address bar. */
let wasShown = false

/** Sets the document title and moves the focus to the heading, so that screen readers announce the page. */
export function Page({ title, lead, crumbs = [], aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = title === 'Cardstock' ? title : texts.titleOf(title)
  }, [title])
  useEffect(() => {
    if (wasShown) {
      // The browser restores the scroll position on back and forward.
      if (!isHistoryNavigation()) scrollTo({ top: 0 })
      heading.current?.focus({ preventScroll: true })
    }
    wasShown = true
  }, [])
  return (
    <>
      {crumbs.length > 0 && (
        <nav aria-label={texts.breadcrumbs}>
          <ol className="crumbs small soft">
            {crumbs.map(({ href, name }) => (
              <li key={href}>
                <Link href={href}>{name}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p>{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </>
  )
}
