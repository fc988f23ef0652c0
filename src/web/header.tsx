import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import * as texts from '#texts/frame.ts'
import { BellIcon, Logo, ThemeIcon } from './components/icons.tsx'
import { SearchField } from './components/search-field.tsx'
import { currencyName } from './numbers.ts'
import { useCurrency } from './pricing/currency.ts'
import { apiQuery, pollQuery } from './query-client.ts'
import { useSession } from './session.ts'
import { getTheme, onThemeChange, setTheme } from './theme.ts'

/** Header with the brand, which links to a page. */
export function Bar({ home, children }: { home: string; children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#page">
        {texts.skipToContent}
      </a>
      <header className="bar">
        <div className="bar-inner">
          <Link className="brand" href={home}>
            <Logo />
            Cardstock
          </Link>
          {children}
        </div>
      </header>
    </>
  )
}

/** Header search. Empty on pages that have their own search field. */
export function SearchBox() {
  const [path] = useLocation()
  if (path === '/' || path === '/search') return <div className="bar-search" />
  return (
    <search className="bar-search">
      <SearchField key={path} size="bar" />
    </search>
  )
}

/** Account link. Reserves its space until the session is loaded. */
export function AccountLink() {
  const { me } = useSession()
  if (me === undefined) return <span className="button quiet" />
  if (me === null) {
    return (
      <Link className="button main" href="/login">
        {texts.logIn}
      </Link>
    )
  }
  return (
    <Link className="button person" href="/account" title={me.email}>
      <span className="initial" aria-hidden="true">
        {me.email.charAt(0)}
      </span>
      <span className="person-text">{texts.account}</span>
    </Link>
  )
}

/** Link to the alerts of the account, with the number of unread notifications. */
export function Bell() {
  const { data } = useQuery(
    pollQuery(apiQuery('/v1/notifications', { query: { per_page: 1 } }), () => BELL_MS),
  )
  const unread = data?.meta.unread ?? 0
  const name = unread === 0 ? texts.alerts : texts.alertsUnread(unread)
  return (
    <Link className="button quiet bell" href="/alerts" aria-label={name} title={name}>
      <BellIcon />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > UNREAD_MAX ? `${UNREAD_MAX}+` : unread}
        </span>
      )}
    </Link>
  )
}

const BELL_MS = 60_000
const UNREAD_MAX = 99

/** List of currencies behind the code of the chosen one. Hidden if there is nothing to choose. */
export function CurrencySelect() {
  const { currency, choices, choose } = useCurrency()
  if (choices.length < 2) return null
  return (
    <label className="currency-select" title={texts.currency}>
      <span aria-hidden="true">{currency}</span>
      <span className="visually-hidden">{texts.currency}</span>
      <select value={currency} onChange={({ target }) => choose(target.value)}>
        {choices.map((code) => (
          <option key={code} value={code}>
            {code} – {currencyName(code)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** List of themes behind an icon. The pages of the server have the same one (`document.html`). */
export function ThemeSelect() {
  const theme = useSyncExternalStore(onThemeChange, getTheme)
  return (
    <label className="theme-select" title={texts.theme}>
      <ThemeIcon />
      <span className="visually-hidden">{texts.theme}</span>
      <select value={theme} onChange={({ target }) => setTheme(target.value)}>
        <option value="system">{texts.system}</option>
        <option value="light">{texts.light}</option>
        <option value="dark">{texts.dark}</option>
      </select>
    </label>
  )
}
