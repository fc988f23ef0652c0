import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import * as texts from '#texts/frame.ts'
import {
  CameraIcon,
  CollectionIcon,
  GamesIcon,
  MoversIcon,
  PersonIcon,
  SearchIcon,
} from './components/icons.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { AccountLink, Bar, Bell, CurrencySelect, SearchBox, ThemeSelect } from './header.tsx'
import { DOLLARS } from './numbers.ts'
import { useCurrency } from './pricing/currency.ts'
import { sourceName } from './pricing/price-origin.ts'
import { readServiceState } from './service-state.ts'
import { useHasAccount, useSession } from './session.ts'

// Navigation links, with the paths that highlight them.
const GAMES = {
  href: '/',
  name: texts.games,
  icon: <GamesIcon />,
  paths: /^\/($|games|sets|cards)/,
}

const MOVERS = { href: '/movers', name: texts.movers, icon: <MoversIcon />, paths: /^\/movers/ }

const IDENTIFY = {
  href: '/identify',
  name: texts.identify,
  icon: <CameraIcon />,
  paths: /^\/identify/,
}

const COLLECTION = {
  href: '/collection',
  name: texts.collection,
  icon: <CollectionIcon />,
  paths: /^\/(collection|import)/,
}

const SEARCH = { href: '/search', name: texts.search, icon: <SearchIcon />, paths: /^\/search/ }

/** Header and footer of a server that is not set up: it has no other pages yet. */
export function SetupShell({ children }: { children: ReactNode }) {
  return (
    <>
      <Bar home="/setup">
        <div className="bar-end">
          <ThemeSelect />
        </div>
      </Bar>
      <main id="page" className="page">
        <ErrorBoundary path="/setup">{children}</ErrorBoundary>
      </main>
      <footer className="footer small soft">
        <div className="footer-inner">
          <a href="/docs">{texts.api}</a>
          <a href="/guides">{texts.guides}</a>
        </div>
      </footer>
    </>
  )
}

/** Header, navigation and footer around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const { me } = useSession()
  const [path] = useLocation()
  const hasAccount = useHasAccount()
  const account = me ? '/account' : '/login'
  const person = {
    href: account,
    name: me ? texts.account : texts.logIn,
    icon: <PersonIcon />,
    paths: /^\/(account|login|register|operator)/,
  }
  return (
    <>
      <Bar home="/">
        <nav className="links" aria-label={texts.pages}>
          {[GAMES, MOVERS, IDENTIFY, ...(hasAccount ? [COLLECTION] : [])].map((item) => (
            <NavLink key={item.href} {...item} icon={undefined} />
          ))}
        </nav>
        <SearchBox />
        <div className="bar-end">
          {me?.is_operator === true && (
            <Link className="button quiet operator-link" href="/operator">
              {texts.operator}
            </Link>
          )}
          <CurrencySelect />
          <ThemeSelect />
          {me && <Bell key={me.id} />}
          <AccountLink />
        </div>
      </Bar>
      <main id="page" className="page">
        <ErrorBoundary path={path}>{children}</ErrorBoundary>
      </main>
      <footer className="footer small soft">
        <div className="footer-inner">
          <PricesNote />
          <a href="/docs">{texts.api}</a>
          <a href="/guides">{texts.guides}</a>
          <a href="/llms.txt">llms.txt</a>
          <Link href="/status">{texts.dataStatus}</Link>
        </div>
      </footer>
      <nav className="tabs-bar" aria-label={texts.pages}>
        {[GAMES, SEARCH, MOVERS, IDENTIFY, ...(hasAccount ? [COLLECTION] : []), person].map(
          (item) => (
            <NavLink key={item.href} {...item} />
          ),
        )}
      </nav>
    </>
  )
}

/** States the currency and sources of the prices, and the mark of converted prices. */
function PricesNote() {
  const { currency } = useCurrency()
  const native = readServiceState().nativeSources[currency]
  const source = native && sourceName(native)
  return (
    <span>
      {texts.pricesNote({ currency, source })}
      {currency !== DOLLARS && ` ${texts.convertedNote(source)}`}
    </span>
  )
}

type NavItem = { href: string; name: string; icon: ReactNode; paths: RegExp }

function NavLink({ href, name, icon, paths }: NavItem) {
  const [path] = useLocation()
  return (
    <Link href={href} aria-current={paths.test(path) ? 'page' : undefined}>
      {icon}
      {name}
    </Link>
  )
}
