import type { Page } from './browser.ts'

/**
 * Sums the layout shifts of a page (good pages stay below 0.1). Call it before the page is opened.
 *
 * @returns a function that reads the sum so far
 */
export async function measureLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(OBSERVER)
  return () => page.evaluate<number>('window.layoutShift')
}

const OBSERVER = `
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`
