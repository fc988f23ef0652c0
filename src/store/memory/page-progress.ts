/** Cards of the pages that an account is reading, and how many of them are done. */
export type PageStep = { cards: number; done: number }

/** Counts the cards of pages while they are read, in the memory of this server. */
export type PageProgress = {
  /** Adds a page whose cards were found. `advance` counts one of them, `end` removes the page. */
  begin(account_id: number, cards: number): { advance(): void; end(): void }
  /** Sums the pages of an account; zeros without one. */
  get(account_id: number): PageStep
}

export function createPageProgress(): PageProgress {
  const pages = new Map<PageStep, number>()
  return {
    begin(account_id, cards) {
      const page = { cards, done: 0 }
      pages.set(page, account_id)
      return {
        advance() {
          page.done++
        },
        end() {
          pages.delete(page)
        },
      }
    },
    get(account_id) {
      const own = [...pages].flatMap(([page, account]) => (account === account_id ? [page] : []))
      const sum = (member: keyof PageStep) => own.reduce((all, page) => all + page[member], 0)
      return { cards: sum('cards'), done: sum('done') }
    },
  }
}
