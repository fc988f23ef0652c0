import type { Meta } from '#client/endpoints.ts'
import { count } from '../format.ts'

/** The way to the other pages of a list; nothing where there are none. */
export function Pager({ meta, onPage }: { meta: Meta; onPage: (page: number) => void }) {
  const pages = Math.max(1, Math.ceil(meta.total / meta.per_page))
  if (pages === 1) return null
  const go = (page: number) => () => {
    onPage(page)
    scrollTo({ top: 0 })
  }
  return (
    <nav className="pager" aria-label="Pages">
      <button
        type="button"
        className="button"
        disabled={meta.page <= 1}
        onClick={go(meta.page - 1)}
      >
        Previous
      </button>
      <span>
        Page {count(meta.page)} of {count(pages)}
      </span>
      <button
        type="button"
        className="button"
        disabled={!meta.has_more}
        onClick={go(meta.page + 1)}
      >
        Next
      </button>
    </nav>
  )
}
