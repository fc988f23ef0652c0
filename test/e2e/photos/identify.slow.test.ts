// Browser test of photo identification with a fake reader.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import { describeInBrowser, openBrowserUser, SCREEN_SIZES } from '../../support/browser.ts'
import { choosePhoto, OBSERVATIONS } from '../../support/photos/photo-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { addPriceSources } from '../../support/pricing/price-sources.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

type Reviewed = { feedback: { card_id: number | null } | null }

describeInBrowser('identifying', () => {
  const photoReader = fakeReader()
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ reader: photoReader })
  })
  beforeEach(() => photoReader.script(() => OBSERVATIONS.one))
  afterAll(() => testServer.close())

  test.each(SCREEN_SIZES.map((screen, at) => [screen.name, screen, TIERS[at] ?? 'free'] as const))(
    'shows the card, its prices and the feedback: %s',
    async (_, screen, account) => {
      const user = await openBrowserUser(testServer.url, screen)
      const { page, closeClean, inspect } = user
      await testServer.logIn(user, account)
      await page.goto('/identify')
      await page.getByRole('heading', { level: 2, name: 'Add a photo' }).waitFor()
      await page.getByRole('link', { name: '25 free scans' }).waitFor()
      expect(await inspect('identify')).toEqual([])

      // Shows the photo and the progress.
      const read = Promise.withResolvers<typeof OBSERVATIONS.one>()
      photoReader.script(() => read.promise)
      await choosePhoto(page, 'slab')
      await page.getByText('Reading your photo…').waitFor()
      expect(await page.getByAltText('Yours').getAttribute('src')).toMatch(/^blob:/)
      expect(await inspect('identify reading')).toEqual([])
      read.resolve(OBSERVATIONS.one)

      await page.getByText('Match found').waitFor()
      const found = page.getByRole('article')
      await found.getByRole('link', { name: 'Weathercock Baron' }).waitFor()
      expect(await found.textContent()).toMatch(/Lantern Season · 018\/024/)
      expect(await found.getByRole('row', { name: /^Holofoil/ }).textContent()).toMatch(
        /\$\d+\.\d\d/,
      )
      expect(await found.getByRole('listitem').allTextContents()).toContain('✓Same number')
      await page.getByRole('link', { name: '24 scans left' }).waitFor()
      expect(await page.getByRole('main').getByRole('status').first().textContent()).toBe(
        'Photo read. Weathercock Baron.',
      )
      expect(await inspect('identify found')).toEqual([])

      await found.getByRole('button', { name: /^This is my card/ }).click()
      await page.getByText('Thanks for your feedback.').waitFor()
      await page.waitForURL(/[?&]id=/)
      const id = new URL(page.url()).searchParams.get('id') ?? ''
      const response = await testServer.testApp.client.get<Reviewed>(`/v1/identify/${id}`, {
        as: account,
      })
      expect(response.body.data.feedback?.card_id).toBe(900018)

      // An ambiguous photo.
      photoReader.script(() => OBSERVATIONS.several)
      await choosePhoto(page, 'reprint')
      await page.getByRole('heading', { level: 2, name: 'Which of these is it?' }).waitFor()
      const second = page.getByRole('listitem').filter({ hasText: 'Drowned Abbey' })
      expect(await inspect('identify several')).toEqual([])
      await second.getByRole('button', { name: /^This is my card/ }).click()
      await second.getByRole('table').waitFor()
      await page.getByText('Thanks for your feedback.').waitFor()
      expect(await inspect('identify said')).toEqual([])

      // The earlier photo keeps its feedback.
      const earlier = page.getByRole('navigation', { name: 'Recent photos' })
      await earlier.getByRole('link', { name: /Weathercock Baron/ }).click()
      await page.getByText('Match found').waitFor()
      expect(
        await found.getByRole('button', { name: /^This is my card/ }).getAttribute('aria-pressed'),
      ).toBe('true')
      await closeClean()
    },
  )

  // Last, because the server has further prices from here on.
  test('shows the prices in the chosen currency, and another one without reading again', async () => {
    addPriceSources(testServer.testApp)
    const user = await openBrowserUser(testServer.url)
    const { page, problems, close } = user
    await page.addInitScript(() => localStorage.setItem('cardstock.currency', 'EUR'))
    await testServer.logIn(user, 'business')
    let photos = 0
    photoReader.script(() => {
      photos++
      return OBSERVATIONS.one
    })
    await page.goto('/identify')
    await choosePhoto(page, 'slab')
    const price = page.getByRole('article').getByRole('row', { name: /^Holofoil/ })
    await price.getByText('€').first().waitFor()
    await page.getByLabel('Currency').selectOption('GBP')
    await price.getByText('£').first().waitFor()
    expect(await price.textContent()).not.toContain('€')
    expect([photos, problems]).toEqual([1, []])
    await close()
  })
})
