/** Maximum `per_page`; larger values are treated as this one (docs/reference/choices.md, row 1). */
export const PER_PAGE_MAX = 100

export type Paging = { page: number; per_page: number; limit: number; offset: number }

export type PagingMeta = { total: number; page: number; per_page: number; has_more: boolean }

/** Computes the window of a page; both numbers are at least 1. */
export function computePaging(request: { page: number; per_page: number }): Paging {
  const per_page = Math.min(request.per_page, PER_PAGE_MAX)
  return { page: request.page, per_page, limit: per_page, offset: (request.page - 1) * per_page }
}

/** Computes the window of a page like `computePaging`; undefined if all entries are requested. */
export function computeOptionalPaging(request: {
  page: number
  per_page?: number
}): Paging | undefined {
  const { page, per_page } = request
  return per_page === undefined ? undefined : computePaging({ page, per_page })
}

export function pagingMeta(paging: Paging, total: number): PagingMeta {
  const { page, per_page } = paging
  return { total, page, per_page, has_more: page * per_page < total }
}

/**
 * Formats the `Link` header (RFC 8288) of a page of a list.
 *
 * @param url absolute URL of the page; all parameters except `page` are kept
 * @returns undefined for a single page
 */
export function formatLinkHeader(url: string, meta: PagingMeta): string | undefined {
  const { total, page, per_page, has_more } = meta
  const last = Math.max(1, Math.ceil(total / per_page))
  const link = (rel: string, to: number) => `<${atPage(url, to)}>; rel="${rel}"`
  const links = [
    // The page before one beyond the end is the last page.
    ...(page > 1 ? [link('first', 1), link('prev', Math.min(page - 1, last))] : []),
    ...(has_more ? [link('next', page + 1)] : []),
    ...(page === last ? [] : [link('last', last)]),
  ]
  return links.length === 0 ? undefined : links.join(', ')
}

/** Returns the URL of another page. */
function atPage(url: string, page: number): string {
  const [address = '', ...query] = url.split('?')
  const parts = query.join('?').split('&')
  const others = parts.filter((part) => part !== '' && !new URLSearchParams(part).has('page'))
  return `${address}?${[...others, `page=${page}`].join('&')}`.replace(NOT_IN_URI, (sign) =>
    encodeURIComponent(sign.toWellFormed()),
  )
}

// These characters would end the URL, or are not allowed in a header.
const NOT_IN_URI = /[^\x21\x23-\x3b\x3d\x3f-\x7e]/gu
