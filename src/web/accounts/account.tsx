import { type ComponentType, type ReactNode, useEffect, useRef } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import * as texts from '#texts/accounts/account.ts'
import { AlertsView } from '../alerts/alerts.tsx'
import { PlanView } from '../billing/plan.tsx'
import { ScansView } from '../billing/scans.tsx'
import { ErrorMessage, loginUrl } from '../components/error-message.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { NotFoundView } from '../not-found.tsx'
import { forgetAnswers } from '../query-client.ts'
import { readServiceState } from '../service-state.ts'
import { useSession } from '../session.ts'
import { KeysView } from './keys.tsx'
import { OverviewView } from './overview.tsx'
import { SecurityView } from './security.tsx'
import { UsageView } from './usage.tsx'

/** Renders one page of the account. */
export function AccountView({ part = '' }: { part: string | undefined }) {
  const View = VIEWS[part]
  if (View === undefined || !isShown(`/account/${part}`)) return <NotFoundView />
  return (
    <AccountFrame>
      <View />
    </AccountFrame>
  )
}

const VIEWS: Readonly<Record<string, ComponentType>> = {
  '': OverviewView,
  keys: KeysView,
  usage: UsageView,
  plan: PlanView,
  scans: ScansView,
  alerts: AlertsView,
  security: SecurityView,
}

/** Adds the account navigation to a page. Redirects visitors to the login. */
export function AccountFrame({ children }: { children: ReactNode }) {
  const { me, error, refresh } = useSession()
  if (error !== undefined) return <ErrorMessage error={error} onRetry={() => void refresh()} />
  if (me === null) {
    return <Redirect to={loginUrl()} replace />
  }
  return (
    // Remounts all views for another account.
    <div className="account" key={me?.id}>
      <AccountNav />
      <div className="account-page">{me === undefined ? <LineSkeleton count={8} /> : children}</div>
    </div>
  )
}

const ACCOUNT_PAGES = [
  ['/account', texts.overview],
  ['/account/keys', texts.keys],
  ['/account/usage', texts.usage],
  ['/account/plan', texts.plan],
  ['/account/scans', texts.scans],
  ['/alerts', texts.alerts],
  ['/account/alerts', texts.webhooks],
  ['/account/security', texts.security],
] as const

/** Plans are shown if they are for sale. */
function isShown(href: string): boolean {
  return href !== '/account/plan' || readServiceState().billing !== 'off'
}

function AccountNav() {
  const { me } = useSession()
  const [path] = useLocation()
  const row = useRef<HTMLUListElement>(null)
  const here = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another position in the row
  useEffect(() => {
    // On a phone the row is wider than the screen: scroll to the current page.
    if (row.current === null || here.current === null) return
    const { offsetLeft, offsetWidth } = here.current
    row.current.scrollLeft = offsetLeft - (row.current.clientWidth - offsetWidth) / 2
  }, [path])
  return (
    <div className="account-side">
      <nav aria-label={texts.yourAccount}>
        <ul ref={row} className="account-nav">
          {ACCOUNT_PAGES.filter(([href]) => isShown(href)).map(([href, name]) => (
            <li key={href}>
              {/* Every navigation fetches current data. */}
              <Link
                ref={href === path ? here : undefined}
                href={href}
                aria-current={href === path ? 'page' : undefined}
                onClick={forgetAnswers}
              >
                {name}
              </Link>
            </li>
          ))}
          {/* The header has no room for this link on narrow screens. */}
          {me?.is_operator === true && (
            <li className="operator-tab">
              <Link href="/operator">{texts.operator}</Link>
            </li>
          )}
        </ul>
      </nav>
    </div>
  )
}
