import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { isHistoryNavigation } from '../hooks/navigation.ts'

type PageProps = {
  title: string
  /** What is said below the title. */
  lead?: ReactNode
  /** From the outermost to what stands around this page. */
  crumbs?: readonly { href: string; name: string }[]
  /** What stands beside the title: switches, buttons. */
  aside?: ReactNode
  children: ReactNode
}

/** True once a page was shown: the first one must not take the focus away from the address bar. */
let wasShown = false

/**
 * One page: its title, which the browser's tab shows and to which the focus goes when the page is
 * changed, so that a screen reader tells where it is.
 */
export function Page({ title, lead, crumbs = [], aside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = title === 'Cardstock' ? title : `${title} – Cardstock`
  }, [title])
  useEffect(() => {
    if (wasShown) {
      // Where somebody comes back to, the browser knows how far they had read.
      if (!isHistoryNavigation()) scrollTo({ top: 0 })
      heading.current?.focus({ preventScroll: true })
    }
    wasShown = true
  }, [])
  return (
    <>
      {crumbs.length > 0 && (
        <nav aria-label="Where this is">
          <ol className="crumbs">
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
