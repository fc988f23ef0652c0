import { Link } from 'wouter'
import * as texts from '#texts/frame.ts'
import { Page } from './components/page.tsx'

/** Page for an unknown address. */
export function NotFoundView() {
  return (
    <Page title={texts.pageNotFound} lead={texts.pageMayHaveMoved}>
      <div className="row">
        <Link className="button main" href="/">
          {texts.browseGames}
        </Link>
        <Link className="button" href="/search">
          {texts.searchCards}
        </Link>
      </div>
    </Page>
  )
}
