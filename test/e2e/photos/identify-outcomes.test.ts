// What becomes of a photo that is not simply found, in a real browser, and that nothing of it is lost.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type BrowserReader, NO_BROWSER, openReader, SIGHTS } from '../../support/browser.ts'
import { choose, SEEN } from '../../support/photos/photo-fixtures.ts'
import type { Member } from '../../support/test-app.ts'
import { openSite, type Site } from '../../support/test-server.ts'
import { fakeReader } from '../../support/x402/fake-edges.ts'

if (NO_BROWSER !== undefined) console.info(`skipped: ${NO_BROWSER}`)

const FOUND = 'The one card that fits the photo'
const [PHONE, , DESK] = SIGHTS

describe.skipIf(NO_BROWSER !== undefined)('a photo', () => {
  const eye = fakeReader()
  let site: Site
  let reader: BrowserReader
  beforeAll(async () => {
    site = await openSite({ reader: eye })
  })
  beforeEach(() => eye.script(() => SEEN.one))
  afterEach(() => reader.close())
  afterAll(() => site.close())

  async function enter(guest: Member = 'pro', sight: (typeof SIGHTS)[number] = DESK) {
    reader = await openReader(site.url, sight)
    await site.enter(reader, guest)
    await reader.page.goto('/identify')
    await reader.page.getByRole('heading', { name: 'Show a card' }).waitFor()
    return reader
  }

  test('that is no good, shows nothing known, or another game says what to do', async () => {
    const { page, faults, audit, show } = await enter('pro', PHONE)
    eye.script(() => SEEN.two)
    await choose(page, 'two-cards')
    await page.getByRole('heading', { name: 'Take another photo' }).waitFor()
    await page.getByText('Photograph one card at a time.').waitFor()
    await page.getByText('It may be this one all the same:').waitFor()
    await page.getByRole('button', { name: 'Take another' }).waitFor()
    await show('identify retake')
    expect(await audit()).toEqual([])

    eye.script(() => SEEN.perhaps)
    await choose(page, 'soft')
    await page.getByRole('heading', { name: 'Is this it?' }).waitFor()
    await page.getByRole('button', { name: 'Not this one' }).waitFor()

    eye.script(() => SEEN.nothing)
    await choose(page, 'no-card')
    await page.getByRole('heading', { name: 'No card of the catalog fits' }).waitFor()
    await show('identify not found')
    expect(await audit()).toEqual([])

    eye.script(() => SEEN.stranger)
    await choose(page, 'back')
    await page.getByRole('heading', { name: 'The catalog does not have such cards' }).waitFor()
    await page.getByText('The catalog does not list this game').waitFor()
    await show('identify unsupported')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
  }, 60_000)

  test('that nobody has a scan for is kept, and the way to more leads on', async () => {
    await spendAll(site, 'starter')
    const { page, faults, audit, show } = await enter('starter')
    await page.getByRole('link', { name: '0 scans left' }).waitFor()
    await choose(page, 'slab')
    await page.getByRole('heading', { name: 'No scans are left' }).waitFor()
    await show('identify empty')
    expect(await audit()).toEqual([])
    expect(await page.getByRole('link', { name: 'See the packs' }).getAttribute('href')).toBe(
      '/account/scans',
    )
    await page.getByAltText('Yours').waitFor()
    expect(onlyOf(faults, 402)).toBe(true)
  }, 60_000)

  test('is read at the next try when the reader was busy, or the network gone', async () => {
    const { page, context, faults, audit, show } = await enter('hobby')
    eye.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The photo reader is busy.', { retryAfter: 2 })
    })
    await choose(page, 'slab')
    await page.getByRole('heading', { name: 'The photo was not read' }).waitFor()
    await page.getByText('It cost nothing: the scan came back.').waitFor()
    await show('identify busy')
    expect(await audit()).toEqual([])

    await context.setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await show('identify offline')
    await context.setOffline(false)

    // A double click is one.
    eye.script(() => SEEN.one)
    eye.requests.length = 0
    await page.getByRole('button', { name: 'Try again' }).dblclick()
    await page.getByText(FOUND).waitFor()
    await page.getByRole('link', { name: '24 scans left' }).waitFor()
    expect(eye.requests.length).toBe(1)
    expect(onlyOf(faults, 503, 'ERR_INTERNET_DISCONNECTED')).toBe(true)
  }, 60_000)

  test('that takes long can be given up, and is read later', async () => {
    const { page, faults, audit, show } = await enter('business')
    const never = Promise.withResolvers<typeof SEEN.one>()
    eye.script(() => never.promise)
    await choose(page, 'slab')
    await page.getByText('It takes longer than usual.').waitFor()
    await show('identify slow')
    // Who goes by keyboard is where the button was that led here.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await page.getByText('You stopped it.').waitFor()
    await show('identify stopped')
    expect(await audit()).toEqual([])
    eye.script(() => SEEN.one)
    never.resolve(SEEN.one)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Read it now')
    await page.keyboard.press('Enter')
    await page.getByText(FOUND).waitFor()
    expect(faults).toEqual([])
  }, 60_000)

  test('is found again by its address, with what was said; a refused word is told', async () => {
    const { page, faults, show } = await enter('free')
    await choose(page, 'slab')
    await page.getByText(FOUND).waitFor()
    await page.route('**/feedback', (route) => route.abort())
    const none = page.getByRole('button', { name: 'Not this one' })
    await none.click()
    await page.getByRole('alert').getByText('The service cannot be reached.').waitFor()
    expect(await none.getAttribute('aria-pressed')).toBe('false')
    await page.unroute('**/feedback')
    await none.click()
    await page.getByText('Thank you, noted.').waitFor()
    await page.getByRole('button', { name: /^This one/ }).click()
    await page.locator('button[aria-pressed=true]', { hasText: 'This one' }).waitFor()

    await page.waitForURL(/\?id=[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByText(FOUND).waitFor()
    await page.locator('button[aria-pressed=true]', { hasText: 'This one' }).waitFor()
    await show('identify earlier')
    await page.goto('/identify?id=00000000-0000-4000-8000-000000000000')
    await page.getByText('There is no identification with this id.').waitFor()
    expect(onlyOf(faults, 404, 'ERR_FAILED')).toBe(true)
  }, 60_000)

  test('is searched in the game that is chosen, which the address keeps', async () => {
    const { page, faults } = await enter('pro')
    await page.getByLabel('Search in').selectOption('Wickerwild Creature Duels')
    await page.waitForURL(/\?game=wickerwild$/)
    eye.requests.length = 0
    await choose(page, 'slab')
    await page.getByText(FOUND).waitFor()
    const game = await site.house.visitor.get<{ id: number }>('/v1/games/wickerwild')
    expect(eye.requests.map(({ gameId }) => gameId)).toEqual([game.body.data.id])
    expect(faults).toEqual([])
  }, 60_000)
})

/** Whether the console told of nothing but these answers. */
function onlyOf(faults: readonly string[], ...causes: (number | string)[]): boolean {
  return faults.every((fault) => causes.some((cause) => fault.includes(String(cause))))
}

async function spendAll({ house }: Site, guest: Member): Promise<void> {
  for (let left = 25; left > 0; left--) {
    const headers = { 'content-type': 'image/jpeg' }
    const body = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])
    await house.visitor.ask('POST', '/v1/identify', { as: guest, body, headers })
  }
}
