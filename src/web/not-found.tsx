import { Link } from 'wouter'
import { Page } from './components/page.tsx'

/** For an address that no page has. */
export function NotFoundView() {
  return (
    <Page title="There is no such page" lead="It may have moved, or the address has a slip in it.">
      <div className="row">
        <Link className="button main" href="/">
          See the games
        </Link>
        <Link className="button" href="/search">
          Search cards
        </Link>
      </div>
    </Page>
  )
}
