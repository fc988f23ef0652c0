import type { PagingMeta } from '#client/endpoints.ts'
import * as texts from '#texts/components/controls.ts'
import { count } from '../format.ts'
import { Button } from './button.tsx'
import { Note } from './note.tsx'

type PagerProps = { meta: PagingMeta; onPage: (page: number) => void }

/** Previous and next buttons; nothing for a single page. */
export function Pager({ meta, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(meta.total / meta.per_page))
  if (meta.page > pages) return <PastEnd pages={pages} onPage={onPage} />
  if (pages === 1) return null
  const go = (page: number) => () => {
    onPage(page)
    scrollTo({ top: 0 })
  }
  return (
    <nav className="pager" aria-label={texts.pages}>
      <Button disabled={meta.page <= 1} onClick={go(meta.page - 1)}>
        {texts.previous}
      </Button>
      <span>{texts.pageOf({ page: count(meta.page), pages: count(pages) })}</span>
      <Button disabled={!meta.has_more} onClick={go(meta.page + 1)}>
        {texts.next}
      </Button>
    </nav>
  )
}

/** The URL can name a page that does not exist. */
function PastEnd({ pages, onPage }: { pages: number; onPage: PagerProps['onPage'] }) {
  return (
    <Note title={texts.pageNotFound} text={<p className="soft">{texts.listHasPages(pages)}</p>}>
      <Button onClick={() => onPage(pages)}>{texts.goToLastPage}</Button>
    </Note>
  )
}
