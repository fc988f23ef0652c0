import { Link } from 'wouter'
import { Page } from './components/page.tsx'

/** Page for an unknown address. */
export function NotFoundView() {
  return (
    <Page title="Page not found" lead="The page may have moved, or the address is misspelled.">
      <div className="row">
        <Link className="button main" href="/">
          Browse games
        </Link>
        <Link className="button" href="/search">
          Search cards
        </Link>
      </div>
    </Page>
  )
}
