/** `per_page` beyond this is served as this, and `meta.per_page` says so (docs/choices.md, row 1). */
export const PER_PAGE_MAX = 100

export type Paging = { page: number; per_page: number; limit: number; offset: number }

export type Meta = { total: number; page: number; per_page: number; has_more: boolean }

/** The window that a page stands for; both numbers are 1 or more. */
export function pagingOf(ask: { page: number; per_page: number }): Paging {
  const per_page = Math.min(ask.per_page, PER_PAGE_MAX)
  return { page: ask.page, per_page, limit: per_page, offset: (ask.page - 1) * per_page }
}

export function metaOf(paging: Paging, total: number): Meta {
  const { page, per_page } = paging
  return { total, page, per_page, has_more: page * per_page < total }
}
