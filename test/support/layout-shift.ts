import type { Page } from './browser.ts'

/**
 * Counts how much of a page moves by itself: the sum of the browser's own layout shifts, of which good
 * pages have less than 0.1. To be called before the page is opened.
 *
 * @returns what tells the sum so far
 */
export async function measureLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(COUNT)
  return () => page.evaluate<number>('window.shifted')
}

/** For the browser. */
const COUNT = `
  window.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
