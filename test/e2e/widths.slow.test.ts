// Browser tests of all pages at all widths: no cell of a table is narrower than a short word, and no page scrolls sideways.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, type Page, SCREENS } from '../support/browser.ts'
import { addManySets } from '../support/catalog/many-sets.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** From the narrowest phone to a large screen, with both sides of each breakpoint. */
const WIDTHS = [
  320, 360, 390, 430, 520, 600, 680, 767, 768, 800, 840, 880, 920, 959, 960, 1024, 1100, 1280, 1440,
  1920,
]

/** At this width, fingers use the controls. */
const PHONE = 390

const PATHS = [
  '/',
  '/games/wickerwild',
  '/games/perihelion-drift',
  '/games/perihelion-drift?sort=value_desc',
  '/sets/90011',
  '/sets/90011?view=table',
  '/cards/900003',
  '/movers',
  '/search?q=marigold',
  '/search?q=tidepool&type=Cards',
  '/collection',
  '/collection/BINDER',
  '/collection/WISHES',
  '/alerts',
  '/account',
  '/account/keys',
  '/account/usage',
  '/identify',
  '/identify/sessions',
  '/operator',
  '/operator/references',
  '/operator/settings',
  '/status',
  '/guides',
  '/guides/start',
]

/** Long names, notes and amounts, as real collections have them. */
const ITEMS = [
  {
    card_id: 900401,
    quantity: 99_999,
    price_paid: 123_456.78,
    grade: 'PSA 9',
    place: 'The green binder in the second drawer of the cabinet',
    note: 'A gift that I must never sell, whatever anybody offers for it',
  },
  { card_id: 900402, condition: 'heavily_played', language: 'ja', price_paid: 1 },
  { card_id: 900003, condition: 'damaged', quantity: 12 },
]

describeInBrowser('every page', () => {
  let testServer: TestServer
  let user: Awaited<ReturnType<typeof openBrowserUser>>
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    testServer = await startTestServer()
    testServer.testApp.publish(addManySets('perihelion-drift'))
    user = await openBrowserUser(testServer.url, SCREENS[2])
    await testServer.testApp.makeOperator('business')
    await testServer.logIn(user, 'business')
    const post = async (path: string, json: object) => {
      const headers = { origin: testServer.url }
      const url = `${testServer.url}/v1${path}`
      const response = await user.page.request.post(url, { headers, data: json })
      if (response.status() !== 201) throw new Error(await response.text())
      return ((await response.json()) as { data: { id: string } }).data
    }
    for (const kind of ['owned', 'wish']) {
      const { id } = await post('/collections', { name: 'Binder', kind })
      await post(`/collections/${id}/items`, { items: ITEMS })
      ids[kind === 'wish' ? 'WISHES' : 'BINDER'] = id
    }
  })
  afterAll(async () => {
    await user.closeClean()
    await testServer.close()
  })

  test.each(PATHS)('has room for its words at every width: %s', async (path) => {
    const { page } = user
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path.replace(/BINDER|WISHES/, (name) => ids[name] ?? ''))
    await page.locator('h1').waitFor()
    await page.waitForLoadState('networkidle')
    const faults: string[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const found = await findNarrow(page)
      if (width === PHONE) found.push(...(await findSmallTargets(page)))
      for (const fault of found) faults.push(`at ${width} px: ${fault}`)
    }
    expect(faults).toEqual([])
  })
})

/** Lists cells whose text has less room than eight letters, or than itself on one line, and a page that is too wide. */
function findNarrow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LETTERS = 8
    const canvas = document.createElement('canvas').getContext('2d')
    const narrow = [...document.querySelectorAll('main td, main th')].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      const faults: string[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const box = node.parentElement
        const text = node.textContent?.trim() ?? ''
        if (box === null || text === '' || canvas === null || box.closest('.visually-hidden'))
          continue
        const shown = box.closest('td, th, span, div, a, p')
        if (shown === null || shown.getClientRects().length === 0) continue
        canvas.font = getComputedStyle(box).font
        const needed = Math.min(
          canvas.measureText(text).width,
          canvas.measureText('n'.repeat(LETTERS)).width,
        )
        const range = document.createRange()
        range.selectNodeContents(node)
        const width = range.getBoundingClientRect().width
        if (width < 0.85 * needed) faults.push(`"${text.slice(0, 30)}" has ${Math.round(width)} px`)
      }
      return faults
    })
    const over = document.documentElement.scrollWidth - innerWidth
    return over > 0 ? [...narrow, `the page is ${over} px too wide`] : narrow
  })
}

/**
 * Lists controls that are lower than a finger needs. Links within a sentence are as high as its lines, and links that
 * cover their tile or row are as high as that.
 */
function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const LEAST = 40
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, select, input:not([type=hidden]), summary, textarea',
    )
    return [...controls].flatMap((control) => {
      const area = control.closest('label') ?? control
      const cover = getComputedStyle(control, '::after')
      if (cover.position === 'absolute' && cover.content !== 'none') return []
      const { height, width } = area.getBoundingClientRect()
      if (height === 0 || width < 2 || control.closest('.visually-hidden, .skip')) return []
      const around = control.parentElement?.textContent?.trim() ?? ''
      const isInText = control.tagName === 'A' && around !== control.textContent?.trim()
      if (height >= LEAST || (isInText && getComputedStyle(control).display === 'inline')) return []
      return `<${control.tagName.toLowerCase()} ${control.className}> "${control.textContent?.trim().slice(0, 30) || control.getAttribute('aria-label')}" is ${Math.round(height)} px high`
    })
  })
}
