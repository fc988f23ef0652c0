// Browser tests of identifications without a match, errors and feedback.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  type BrowserUser,
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  SCREENS,
} from '../../support/browser.ts'
import { choosePhoto, OBSERVATIONS } from '../../support/photos/photo-fixtures.ts'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import type { TestAccount } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const FOUND = 'Match found'
const [PHONE, , DESKTOP] = SCREENS

describeInBrowser('a photo', () => {
  const photoReader = fakeReader()
  let testServer: TestServer
  let user: BrowserUser
  beforeAll(async () => {
    testServer = await startTestServer({ reader: photoReader })
  })
  beforeEach(() => photoReader.script(() => OBSERVATIONS.one))
  afterEach(() => user.close())
  afterAll(() => testServer.close())

  async function enter(
    account: TestAccount = 'pro',
    screen: (typeof SCREENS)[number] = DESKTOP,
    options: Parameters<typeof openBrowserUser>[2] = {},
  ) {
    user = await openBrowserUser(testServer.url, screen, options)
    await testServer.logIn(user, account)
    await user.page.goto('/identify')
    await user.page.getByRole('heading', { name: 'Add a photo' }).waitFor()
    return user
  }

  test('without a match explains the next step', async () => {
    const { page, problems, inspect } = await enter('pro', PHONE)
    photoReader.script(() => OBSERVATIONS.two)
    await choosePhoto(page, 'two-cards')
    await page.getByRole('heading', { name: 'Take another photo' }).waitFor()
    await page.getByText('The photo shows several cards.').waitFor()
    await page.getByText('Possible match:').waitFor()
    await page.getByRole('button', { name: 'Take another' }).waitFor()
    await page.getByText('The printed text could not be read with certainty').waitFor()
    expect(await page.getByText(/^Score/).count()).toBe(0)
    expect(await inspect('identify retake')).toEqual([])

    photoReader.script(() => OBSERVATIONS.perhaps)
    await choosePhoto(page, 'soft')
    await page.getByRole('heading', { name: 'Is this it?' }).waitFor()
    await page.getByRole('button', { name: 'Not this one' }).waitFor()
    expect(await page.getByText(/^Score/).count()).toBe(0)

    photoReader.script(() => OBSERVATIONS.nothing)
    await choosePhoto(page, 'no-card')
    await page.getByRole('heading', { name: 'No match found' }).waitFor()
    expect(await inspect('identify not found')).toEqual([])

    photoReader.script(() => OBSERVATIONS.stranger)
    await choosePhoto(page, 'back')
    await page.getByRole('heading', { name: 'Not in the catalog' }).waitFor()
    await page.getByText('The catalog does not list this game').waitFor()
    expect(await inspect('identify unsupported')).toEqual([])
    expect(problems).toEqual([])
  })

  test('of several cards shows the outline of each, and the card that is chosen', async () => {
    const { page, problems, inspect } = await enter('pro', PHONE)
    photoReader.page = [PHOTO.jpeg, PHOTO.png, PHOTO.webp]
    photoReader.script(({ photo }) =>
      photo === PHOTO.png ? OBSERVATIONS.nothing : OBSERVATIONS.one,
    )
    await page.getByLabel('Several cards in one photo').check()
    await choosePhoto(page, 'two-cards')
    const cards = page.getByRole('list', { name: 'Cards of the photo' }).getByRole('button')
    await cards.first().waitFor()
    expect(await cards.allInnerTexts()).toEqual([
      expect.stringContaining('Row 1, column 1'),
      expect.stringContaining('Not found'),
      expect.stringContaining('Weathercock Baron'),
    ])
    // The first card is shown at once.
    await page.getByText(FOUND).waitFor()
    const outlines = page.locator('.outlines polygon')
    expect(await outlines.count()).toBe(3)
    expect(await inspect('identify page')).toEqual([])
    await cards.nth(1).click()
    await page.getByRole('heading', { name: 'No match found' }).waitFor()
    expect(await outlines.nth(1).getAttribute('class')).toBe('not_found shown')
    await outlines.nth(2).click()
    await page.getByText(FOUND).waitFor()
    expect(await cards.nth(2).getAttribute('aria-pressed')).toBe('true')
    expect(problems).toEqual([])
  })

  test('of several cards that was sent as one of a single card is read again by a button', async () => {
    const { page, problems } = await enter('pro')
    photoReader.page = [PHOTO.jpeg, PHOTO.webp]
    photoReader.script(() => OBSERVATIONS.two)
    await choosePhoto(page, 'two-cards')
    const offer = page.getByRole('button', { name: 'Read all cards' })
    await offer.waitFor()
    // The second card is read when the page has shown that the first one was.
    const shown = Promise.withResolvers<void>()
    photoReader.script(async ({ photo }) => {
      if (photo === PHOTO.webp) await shown.promise
      return OBSERVATIONS.one
    })
    await offer.click()
    await page.getByText('1 of 2 cards read').waitFor()
    shown.resolve()
    const cards = page.getByRole('list', { name: 'Cards of the photo' }).getByRole('button')
    await cards.nth(1).waitFor()
    await page.getByText(FOUND).waitFor()
    expect(await cards.count()).toBe(2)
    expect(await page.getByLabel('Several cards in one photo').isChecked()).toBe(true)
    expect(problems).toEqual([])
  })

  test('is kept if no scans are left, with a link to scan packs', async () => {
    await spendAll(testServer, 'starter')
    const { page, problems, inspect } = await enter('starter')
    await page.getByRole('link', { name: '0 scans left' }).waitFor()
    await choosePhoto(page, 'slab')
    await page.getByRole('heading', { name: 'No scans left' }).waitFor()
    expect(await inspect('identify empty')).toEqual([])
    expect(await page.getByRole('link', { name: 'See scan packs' }).getAttribute('href')).toBe(
      '/account/scans',
    )
    await page.getByAltText('Yours').waitFor()
    expect(onlyOf(problems, 402)).toBe(true)
  })

  test('is kept if no scans are left, without an offer where nothing is for sale', async () => {
    const own = await startTestServer({ env: { SERVICE_MODE: 'community' }, reader: photoReader })
    await spendAll(own, 'free')
    user = await openBrowserUser(own.url)
    const { page } = user
    await own.logIn(user, 'free')
    await page.goto('/identify')
    await choosePhoto(page, 'slab')
    await expectVisible(page.getByText('Ask the operator for more.'))
    expect(await page.getByText(/scan pack/i).count()).toBe(0)
    await own.close()
  })

  test('is identified on retry after a busy reader or a network error', async () => {
    const { page, context, problems, takeScreenshot, inspect } = await enter('hobby')
    photoReader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The photo reader is busy.', { retryAfter: 2 })
    })
    await choosePhoto(page, 'slab')
    await page.getByRole('heading', { name: 'The photo could not be read' }).waitFor()
    await page.getByText('Your scan was refunded.').waitFor()
    expect(await inspect('identify busy')).toEqual([])

    await context.setOffline(true)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByRole('heading', { name: 'Can’t reach the server. Check your connection.' })
      .waitFor()
    await takeScreenshot('identify offline')
    await context.setOffline(false)

    // A double click sends one request.
    photoReader.script(() => OBSERVATIONS.one)
    photoReader.requests.length = 0
    await page.getByRole('button', { name: 'Try again' }).dblclick()
    await page.getByText(FOUND).waitFor()
    await page.getByRole('link', { name: '24 scans left' }).waitFor()
    expect(photoReader.requests.length).toBe(1)
    expect(onlyOf(problems, 503, 'ERR_INTERNET_DISCONNECTED')).toBe(true)
  })

  test('that takes long can be canceled and retried', async () => {
    const { page, problems, takeScreenshot, inspect } = await enter('business', DESKTOP, {
      ownContext: true,
    })
    await page.clock.install()
    const never = Promise.withResolvers<typeof OBSERVATIONS.one>()
    photoReader.script(() => never.promise)
    await choosePhoto(page, 'slab')
    await page.getByText('Reading your photo…').waitFor()
    await page.clock.fastForward('00:06')
    await page.getByText('This is taking longer than usual.').waitFor()
    await takeScreenshot('identify slow')
    // The focus moves to the new buttons.
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
    await page.keyboard.press('Enter')
    await page.getByText('It may still have used a scan.').waitFor()
    expect(await inspect('identify stopped')).toEqual([])
    photoReader.script(() => OBSERVATIONS.one)
    never.resolve(OBSERVATIONS.one)
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Try again')
    await page.keyboard.press('Enter')
    await page.getByText(FOUND).waitFor()
    expect(problems).toEqual([])
  })

  test('is restored from its URL with its feedback; failed feedback is reported', async () => {
    const { page, problems, takeScreenshot } = await enter('free')
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    await page.route('**/feedback', (route) => route.abort())
    const none = page.getByRole('button', { name: 'Not this one' })
    await none.click()
    await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
    expect(await none.getAttribute('aria-pressed')).toBe('false')
    await page.unroute('**/feedback')
    await none.click()
    await page.getByText('Thanks for your feedback.').waitFor()
    await page.getByRole('button', { name: /^This is my card/ }).click()
    await page.locator('button[aria-pressed=true]', { hasText: 'This is my card' }).waitFor()

    await page.waitForURL(/\?id=[0-9a-f-]{36}$/)
    await page.reload()
    await page.getByText(FOUND).waitFor()
    await page.locator('button[aria-pressed=true]', { hasText: 'This is my card' }).waitFor()
    await takeScreenshot('identify earlier')
    await page.goto('/identify?id=00000000-0000-4000-8000-000000000000')
    await page.getByText('Identification not found').waitFor()
    expect(onlyOf(problems, 404, 'ERR_FAILED')).toBe(true)
  })

  test('is searched in the chosen game, which the URL keeps', async () => {
    const { page, problems } = await enter('pro')
    await page.getByLabel('Search in').selectOption('Wickerwild Creature Duels')
    await page.waitForURL(/\?game=wickerwild$/)
    photoReader.requests.length = 0
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    const game = await testServer.testApp.client.get<{ id: number }>('/v1/games/wickerwild')
    expect(photoReader.requests.map(({ gameId }) => gameId)).toEqual([game.body.data.id])
    expect(problems).toEqual([])
  })
})

/** Returns true if the console reported only these causes. */
function onlyOf(problems: readonly string[], ...causes: (number | string)[]): boolean {
  return problems.every((fault) => causes.some((cause) => fault.includes(String(cause))))
}

async function spendAll({ testApp }: TestServer, account: TestAccount): Promise<void> {
  for (let left = 25; left > 0; left--) {
    const headers = { 'content-type': 'image/jpeg' }
    const body = new Uint8Array([0xff, 0xd8, 0xff, 0xe0])
    await testApp.client.request('POST', '/v1/identify', { as: account, body, headers })
  }
}
