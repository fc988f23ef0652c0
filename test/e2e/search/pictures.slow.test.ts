// Browser tests of pictures: they never delay results, and only visible rows request them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openCatalogPictures } from '#outbound/marketplace/pictures.ts'
import {
  describeInBrowser,
  openBrowserUser,
  type Page,
  SCREENS,
  type Screen,
} from '../../support/browser.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { findFreePort } from '../../support/free-port.ts'
import { watchLayoutShifts } from '../../support/layout-shift.ts'
import { type GatedServer, startGatedServer } from '../../support/photos/picture-gate.ts'
import { createImage, startImageHost } from '../../support/photos/picture-host.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Opens a page. @param pausesClock true if only `clock.runFor` runs its timers */
async function openPage(
  { url }: GatedServer,
  path: string,
  { screen = SCREENS[2], pausesClock = false }: { screen?: Screen; pausesClock?: boolean } = {},
) {
  const user = await openBrowserUser(url, screen, { ownContext: pausesClock })
  closeAfterUse(user.close)
  if (pausesClock) await user.page.clock.install()
  const readShifts = await watchLayoutShifts(user.page)
  await user.page.goto(path)
  await field(user.page).waitFor()
  if (pausesClock) await user.page.clock.pauseAt(Date.now() + 60_000)
  return { ...user, readShifts }
}

describeInBrowser('pictures', () => {
  let server: GatedServer
  beforeAll(async () => {
    server = await startGatedServer()
  })
  afterAll(() => server.close())
  beforeEach(() => server.reset())

  test('typing eight letters requests no picture until typing pauses', async () => {
    const { page, problems } = await openPage(server, '/search', { pausesClock: true })
    await field(page).focus()
    for (const letter of 'marigold') {
      await page.keyboard.type(letter)
      await page.clock.runFor(DEBOUNCE_MS)
      const typed = await field(page).inputValue()
      if (typed.length >= 2) await resultsOf(page, typed)
    }
    expect(server.requests).toEqual([])
    await page.clock.runFor(PAUSE_MS)
    await showsPictures(page, 3)
    expect(await page.locator('.results .tile').count()).toBe(3)
    expect(pathsIn(server)).toHaveLength(3)
    expect(problems).toEqual([])
  })

  test('no more than four load at once, and results do not wait for them', async () => {
    server.hold()
    const { page } = await openPage(server, '/search?q=th', { pausesClock: true })
    await page.getByText('11 cards').waitFor()
    await waitFor(() => server.count('held') === 4)

    // Four of the six connections to a server that a browser opens are used by pictures.
    await field(page).fill('mar')
    await page.clock.runFor(DEBOUNCE_MS)
    await page.getByText('10 cards').waitFor()

    // Removed rows request nothing, and their pending requests are aborted.
    await waitFor(() => server.count('aborted') === 4)
    expect(server.requests).toHaveLength(4)
    await page.clock.runFor(PAUSE_MS)
    await waitFor(() => server.count('held') === 4)
    server.releaseOne()
    await waitFor(() => server.count('answered') === 1 && server.count('held') === 4)
    server.open()
    await showsPictures(page, 10)
    const shown = await page.locator('.results .tile a').evaluateAll(addressesOf)
    expect(pathsIn(server).slice(4).toSorted()).toEqual(shown.toSorted())
    expect(server.heldMax()).toBe(4)
  })

  test('only rows near the screen load theirs', async () => {
    const { page } = await openPage(server, '/search', { screen: SCREENS[0] })
    await page.goto(await setPath(server, 'Lantern Season'))
    const pictures = page.locator('.tile img')
    await pictures.first().waitFor()
    // A response of the server ends the wait for requests that the page has sent.
    const hasAll = async () => (await pictures.count()) === pathsIn(server).length
    do await page.evaluate(() => fetch('/healthz').then(({ status }) => status))
    while (!(await hasAll()))
    const tiles = await page.locator('.tile').count()
    expect(pathsIn(server).length).toBeLessThan(tiles)
    await page.locator('.tile').last().scrollIntoViewIfNeeded()
    await page.locator('.tile').last().locator('img').waitFor()
  })

  test('a picture that is fetched later has a placeholder, and arrives without a shift', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const picture = await createImage('#4080c0')
    const held = async () => {
      await released
      return new Response(picture)
    }
    const host = startImageHost({ '1': held, '2': held })
    closeAfterUse(host.close)
    const publicUrl = `http://localhost:${await findFreePort()}`
    const cardPictures = openCatalogPictures({ publicUrl, upstreamUrl: host.url }, { pauseMs: 0 })
    const slow = await startGatedServer({ cardPictures })
    closeAfterUse(slow.close)
    const at = `(SELECT count(*) FROM cards AS other WHERE other.id <= cards.id AND ${MARIGOLDS_SQL})`
    slow.testApp.publish(
      `UPDATE cards SET image_url = '${host.url}/' || ${at} WHERE ${MARIGOLDS_SQL}`,
    )
    const { page, readShifts } = await openPage(slow, '/search?q=marigold', { pausesClock: true })
    await page.locator('.results .art.empty').nth(2).waitFor()
    const before = await readShifts()
    await waitFor(() => host.requests.length === 3)

    // Pages that repeat a request do not make the host work again.
    await page.clock.runFor(1_000)
    await waitFor(() => slow.requests.length > 3)
    expect(host.requests.toSorted()).toEqual(['1', '2', '3'])

    release()
    await showsPictures(page, 2)
    expect(await page.locator('.results .art.empty').count()).toBe(1)
    expect(host.requests).toHaveLength(3)
    expect(await readShifts()).toEqual(before)
  })
})

/** Delays of the page, in milliseconds: before a search, and before pictures. */
const DEBOUNCE_MS = 120
const PAUSE_MS = 300

/** Cards that “marigold” finds. */
const MARIGOLDS_SQL = "name LIKE '%marigold%'"

const field = (page: Page) => page.locator('main input[type="search"]')

async function resultsOf(page: Page, q: string): Promise<void> {
  await page.waitForURL(`**/search?q=${q}`)
  await page.locator('.results[aria-busy="false"]').waitFor()
}

async function setPath({ testApp }: GatedServer, name: string): Promise<string> {
  const query = testApp.catalogDb.prepare<[string], number>('SELECT id FROM sets WHERE name = ?')
  return `/sets/${query.pluck().get(name)}`
}

/** Lets the page repeat requests until it shows this many pictures. */
async function showsPictures(page: Page, count: number): Promise<void> {
  while ((await page.locator('.results img').count()) < count) await page.clock.runFor(200)
}

/** Returns the page paths whose pictures were requested, each once. */
function pathsIn({ requests }: GatedServer): string[] {
  return [...new Set(requests.map(({ path }) => path.replace('/pictures', '')))]
}

/** Runs in the page. */
function addressesOf(links: Element[]): string[] {
  return links.map((link) => link.getAttribute('href') ?? '')
}
