// A card is identified by its photo, in a real browser. What the reader sees in it is played.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import { BROWSER_MISSING, openBrowserUser, SCREEN_SIZES } from '../../support/browser.ts'
import { choosePhoto, OBSERVATIONS } from '../../support/photos/photo-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

type Reviewed = { feedback: { card_id: number | null } | null }

describe.skipIf(BROWSER_MISSING !== undefined)('identifying', () => {
  const eye = fakeReader()
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ reader: eye })
  })
  beforeEach(() => eye.script(() => OBSERVATIONS.one))
  afterAll(() => testServer.close())

  test.each(SCREEN_SIZES.map((sight, at) => [sight.name, sight, TIERS[at] ?? 'free'] as const))(
    'goes from a photo to a card, its price, and what its owner says of it: %s',
    async (_, sight, guest) => {
      const reader = await openBrowserUser(testServer.url, sight)
      const { page, faults, close, look } = reader
      await testServer.logIn(reader, guest)
      await page.goto('/identify')
      await page.getByRole('heading', { level: 2, name: 'Show a card' }).waitFor()
      await page.getByRole('link', { name: '25 free scans' }).waitFor()
      expect(await look('identify')).toEqual([])

      // While it is read, that is told in words, and the photo is shown.
      const read = Promise.withResolvers<typeof OBSERVATIONS.one>()
      eye.script(() => read.promise)
      await choosePhoto(page, 'slab')
      await page.getByText('Reading your photo…').waitFor()
      expect(await page.getByAltText('Yours').getAttribute('src')).toMatch(/^blob:/)
      expect(await look('identify reading')).toEqual([])
      read.resolve(OBSERVATIONS.one)

      await page.getByText('The one card that fits the photo').waitFor()
      const found = page.getByRole('article')
      await found.getByRole('link', { name: 'Weathercock Baron' }).waitFor()
      expect(await found.textContent()).toMatch(/Lantern Season · 018\/024/)
      expect(await found.getByRole('row', { name: /^Holofoil/ }).textContent()).toMatch(
        /\$\d+\.\d\d/,
      )
      expect(await found.getByRole('listitem').allTextContents()).toContain('✓Same number')
      await page.getByRole('link', { name: '24 scans left' }).waitFor()
      expect(await page.getByRole('main').getByRole('status').first().textContent()).toBe(
        'Your photo was read: Weathercock Baron',
      )
      expect(await look('identify found')).toEqual([])

      await found.getByRole('button', { name: /^This one/ }).click()
      await page.getByText('Thank you, noted.').waitFor()
      const id = new URL(page.url()).searchParams.get('id') ?? ''
      const told = await testServer.testApp.client.get<Reviewed>(`/v1/identify/${id}`, {
        as: guest,
      })
      expect(told.body.data.feedback?.card_id).toBe(900018)

      // Another one, which the photo leaves open.
      eye.script(() => OBSERVATIONS.several)
      await choosePhoto(page, 'reprint')
      await page.getByRole('heading', { level: 2, name: 'Which of these is it?' }).waitFor()
      const second = page.getByRole('listitem').filter({ hasText: 'Drowned Abbey' })
      expect(await look('identify several')).toEqual([])
      await second.getByRole('button', { name: /^This one/ }).click()
      await second.getByRole('table').waitFor()
      await page.getByText('Thank you, noted.').waitFor()
      expect(await look('identify said')).toEqual([])

      // The photo before is still there, with what was said of it.
      const earlier = page.getByRole('navigation', { name: 'Photos of this visit' })
      await earlier.getByRole('link', { name: /Weathercock Baron/ }).click()
      await page.getByText('The one card that fits the photo').waitFor()
      expect(
        await found.getByRole('button', { name: /^This one/ }).getAttribute('aria-pressed'),
      ).toBe('true')
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )
})
