// What becomes of a photo that is not simply found, in a real browser, and that nothing of it is lost.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  BROWSER_MISSING,
  type BrowserUser,
  openBrowserUser,
  SCREENS,
} from '../../support/browser.ts'
import { choosePhoto, OBSERVATIONS } from '../../support/photos/photo-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import type { TestAccount } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

const FOUND = 'The one card that fits the photo'
const [PHONE, , DESK] = SCREENS

describe.skipIf(BROWSER_MISSING !== undefined)('a photo', () => {
  const eye = fakeReader()
  let testServer: TestServer
  let reader: BrowserUser
  beforeAll(async () => {
    testServer = await startTestServer({ reader: eye })
  })
  beforeEach(() => eye.script(() => OBSERVATIONS.one))
  afterEach(() => reader.close())
  afterAll(() => testServer.close())

  async function enter(guest: TestAccount = 'pro', sight: (typeof SCREENS)[number] = DESK) {
    reader = await openBrowserUser(testServer.url, sight)
    await testServer.logIn(reader, guest)
    await reader.page.goto('/identify')
    await reader.page.getByRole('heading', { name: 'Show a card' }).waitFor()
    return reader
  }

  test('that is no good, shows nothing known, or another game says what to do', async () => {
    const { page, faults, audit, takeScreenshot } = await enter('pro', PHONE)
    eye.script(() => OBSERVATIONS.two)
    await choosePhoto(page, 'two-cards')
    await page.getByRole('heading', { name: 'Take another photo' }).waitFor()
    await page.getByText('Photograph one card at a time.').waitFor()
    await page.getByText('It may be this one all the same:').waitFor()
    await page.getByRole('button', { name: 'Take another' }).waitFor()
    await takeScreenshot('identify retake')
    expect(await audit()).toEqual([])

    eye.script(() => OBSERVATIONS.perhaps)
    await choosePhoto(page, 'soft')
    await page.getByRole('heading', { name: 'Is this it?' }).waitFor()
    await page.getByRole('button', { name: 'Not this one' }).waitFor()

    eye.script(() => OBSERVATIONS.nothing)
    await choosePhoto(page, 'no-card')
    await page.getByRole('heading', { name: 'No card of the catalog fits' }).waitFor()
    await takeScreenshot('identify not found')
    expect(await audit()).toEqual([])

    eye.script(() => OBSERVATIONS.stranger)
    await choosePhoto(page, 'back')
    await page.getByRole('heading', { name: 'The catalog does not have such cards' }).waitFor()
    await page.getByText('The catalog does not list this game').waitFor()
    await takeScreenshot('identify unsupported')
    expect(await audit()).toEqual([])
    expect(faults).toEqual([])
  }, 60_000)

  test('that nobody has a scan for is kept, and the way to more leads on', async () => {
    await spendAll(testServer, 'starter')
    const { page, faults, audit, takeScreenshot } = await enter('starter')
    await page.getByRole('link', { name: '0 scans left' }).waitFor()
    await choosePhoto(page, 'slab')
    await page.getByRole('heading', { name: 'No scans are left' }).waitFor()
    await takeScreenshot('identify empty')
    expect(await audit()).toEqual([])
    expect(await page.getByRole('link', { name: 'See the packs' }).getAttribute('href')).toBe(
      '/account/scans',
    )
    await page.getByAltText('Yours').waitFor()
    expect(onlyOf(faults, 402)).toBe(true)
  }, 60_000)

  test('is read at the next try when the reader was busy, or the network gone', async () => {
    const { page, context, faults, audit, takeScreenshot } = await enter('hobby')
    eye.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The photo reader is busy.', { retryAfter: 2 })
    })
    await choosePhoto(page, 'slab')
    await page.getByRole('heading', { name: 'The photo was not read' }).waitFor()
    await page.getByText('It cost nothing: the scan came back.').waitFor()
    await takeScreenshot('identify busy')
    expect(await audit()).toEqual([])

    await context.setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await takeScreenshot('identify offline')
    await context.setOffline(false)

    // A double click is one.
    eye.script(() => OBSERVATIONS.one)
    eye.requests.length = 0
    await page.getByRole('button', { name: 'Try again' }).dblclick()
    await page.getByText(FOUND).waitFor()
    await page.getByRole('link', { name: '24 scans left' }).waitFor()
    expect(eye.requests.length).toBe(1)
    expect(onlyOf(faults, 503, 'ERR_INTERNET_DISCONNECTED')).toBe(true)
  }, 60_000)

  test('that takes long can be given up, and is read later', async () => {
    const { page, faults, audit, takeScreenshot } = await enter('business')
    const never = Promise.withResolvers<typeof OBSERVATIONS.one>()
    eye.script(() => never.promise)
    await choosePhoto(page, 'slab')
    await page.getByText('It takes longer than usual.').waitFor()
    await takeScreenshot('identify slow')
    // Who goes by keyboard is where the button was that led here.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await page.getByText('You stopped it.').waitFor()
    await takeScreenshot('identify stopped')
    expect(await audit()).toEqual([])
    eye.script(() => OBSERVATIONS.one)
    never.resolve(OBSERVATIONS.one)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Read it now')
    await page.keyboard.press('Enter')
    await page.getByText(FOUND).waitFor()
    expect(faults).toEqual([])
  }, 60_000)

  test('is found again by its address, with what was said; a refused word is told', async () => {
    const { page, faults, takeScreenshot } = await enter('free')
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    await page.route('**/feedback', (route) => route.abort())
    const none = page.getByRole('button', { name: 'Not this one' })
    await none.click()
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
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
    await takeScreenshot('identify earlier')
    await page.goto('/identify?id=00000000-0000-4000-8000-000000000000')
    await page.getByText('There is no identification with this id.').waitFor()
    expect(onlyOf(faults, 404, 'ERR_FAILED')).toBe(true)
  }, 60_000)

  test('is searched in the game that is chosen, which the address keeps', async () => {
    const { page, faults } = await enter('pro')
    await page.getByLabel('Search in').selectOption('Wickerwild Creature Duels')
    await page.waitForURL(/\?game=wickerwild$/)
    eye.requests.length = 0
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    const game = await testServer.testApp.client.get<{ id: number }>('/v1/games/wickerwild')
    expect(eye.requests.map(({ gameId }) => gameId)).toEqual([game.body.data.id])
    expect(faults).toEqual([])
  }, 60_000)
})

/** Whether the console told of nothing but these answers. */
function onlyOf(faults: readonly string[], ...causes: (number | string)[]): boolean {
  return faults.every((fault) => causes.some((cause) => fault.includes(String(cause))))
}

async function spendAll({ testApp }: TestServer, guest: TestAccount): Promise<void> {
  for (let left = 25; left > 0; left--) {
    const headers = { 'content-type': 'image/jpeg' }
    const body = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])
    await testApp.client.ask('POST', '/v1/identify', { as: guest, body, headers })
  }
}
