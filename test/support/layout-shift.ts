import type { Page } from './browser.ts'

/**
 * Watches the layout shifts of a page (good pages stay below 0.1 in sum). Call it before the page is opened.
 *
 * @returns a function that reads the sum so far, and what moved
 */
export async function watchLayoutShifts(
  page: Page,
): Promise<() => Promise<{ sum: number; moved: string }>> {
  await page.addInitScript(OBSERVER)
  return async () => {
    const shifts = await page.evaluate<LayoutShift[]>('window.layoutShifts')
    return {
      sum: shifts.reduce((total, { value }) => total + value, 0),
      moved: shifts
        .map(({ value, texts }) => `${value.toFixed(4)}: ${texts.join('; ')}`)
        .join('\n'),
    }
  }
}

/** A shift with its part of the sum and the elements that moved, each with its place before and after. */
type LayoutShift = { value: number; texts: string[] }

const OBSERVER = `
  window.layoutShifts = []
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  const describe = ({ node, previousRect, currentRect }) =>
    (node?.className || node?.nodeName) + ' from ' + place(previousRect) + ' to ' + place(currentRect)
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.layoutShifts.push({ value, texts: sources.map(describe) })
  }).observe({ type: 'layout-shift', buffered: true })
`
