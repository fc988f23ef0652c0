// A newcomer opens an account, makes a key, uses it, and revokes it, in a real browser.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type BrowserReader, NO_BROWSER, openReader, SIGHTS } from '../support/browser.ts'
import { PASSWORD } from '../support/house.ts'
import { openSite, type Site } from '../support/site.ts'

if (NO_BROWSER !== undefined) console.info(`skipped: ${NO_BROWSER}`)

describe.skipIf(NO_BROWSER !== undefined)('an account', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site.close())

  const ask = (key: string) => fetch(`${site.url}/v1/sets`, { headers: { 'X-API-Key': key } })

  test.each(SIGHTS.map((sight) => [sight.name, sight] as const))(
    'is opened by a newcomer, whose key is made, used, counted and revoked: %s',
    async (name, sight) => {
      const reader = await openReader(site.url, sight)
      const { page, faults, audit, show } = reader
      const places = page.getByRole('navigation', { name: 'Your account' })
      await page.goto('/account')
      // Whoever is not logged in is led to where that is done, and back.
      await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor()
      expect(new URL(page.url()).searchParams.get('to')).toBe('/account')
      await show('login')
      expect(await audit()).toEqual([])

      await page.goto('/login')
      await page.getByRole('main').getByRole('link', { name: 'Register' }).click()
      await page.getByRole('heading', { level: 1, name: 'Open an account' }).waitFor()
      const email = `${name.replaceAll(/\W+/g, '-')}@newcomers.example`
      await page.getByLabel('E-mail address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await show('register')
      expect(await audit()).toEqual([])
      await page.getByRole('button', { name: 'Register' }).click()

      await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
      await page.getByRole('heading', { name: 'You have no key yet' }).waitFor()
      await show('keys-none')
      expect(await audit()).toEqual([])
      await places.getByRole('link', { name: 'Overview' }).click()
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('100 of 100')
      await show('overview-new')
      expect(await audit()).toEqual([])

      await page.getByRole('main').getByRole('link', { name: 'Make a key' }).click()
      await page.getByRole('dialog').getByLabel('Name').fill('Shop window')
      await show('key-name')
      expect(await audit()).toEqual([])
      await page.getByRole('button', { name: 'Make the key' }).click()
      const key = await keyShown(reader)
      await show('key-made')
      expect(await audit()).toEqual([])
      await page.getByRole('button', { name: 'I have kept it' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      expect((await ask(key)).status).toBe(200)
      await page.reload()
      const item = page.getByRole('list', { name: 'Active keys' }).getByRole('listitem')
      await item.waitFor()
      expect(await item.textContent()).toMatch(/Shop window.*Today1In all1/)
      await show('keys')
      expect(await audit()).toEqual([])

      await places.getByRole('link', { name: 'Usage' }).click()
      await page.getByRole('heading', { name: '1 request in 30 days' }).waitFor()
      const bars = page.getByRole('slider', { name: 'Requests by day' })
      expect(await bars.getAttribute('aria-valuetext')).toBe('Nov 15, 2026: 1 request')
      await bars.press('ArrowLeft')
      expect(await bars.getAttribute('aria-valuetext')).toBe('Nov 14, 2026: 0 requests')
      await show('usage')
      expect(await audit()).toEqual([])

      await places.getByRole('link', { name: 'Keys' }).click()
      await page.getByRole('button', { name: 'Revoke Shop window' }).click()
      await page.getByRole('heading', { name: 'Revoke “Shop window”?' }).waitFor()
      await show('key-revoke')
      expect(await audit()).toEqual([])
      await page.getByRole('button', { name: 'Revoke the key' }).click()
      await page.getByText('“Shop window” is revoked.').waitFor()
      expect((await ask(key)).status).toBe(401)
      await page.getByText('Revoked keys (1)').click()
      await show('keys-revoked')
      expect(await audit()).toEqual([])

      await places.getByRole('link', { name: 'Security' }).click()
      await page.getByText('This browser').waitFor()
      await show('security')
      expect(await audit()).toEqual([])
      await page.getByRole('button', { name: 'Log out here' }).click()
      await page.getByRole('heading', { name: 'What is your card worth?' }).waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      expect(faults.filter(isNotOfPictures)).toEqual([])
      await reader.close()
    },
    60_000,
  )
})

async function keyShown({ page }: BrowserReader): Promise<string> {
  const key = await page.getByRole('textbox', { name: 'The key' }).inputValue()
  expect(key).toMatch(/^\S{20,}$/)
  expect(await page.getByRole('textbox', { name: 'The request' }).inputValue()).toContain(key)
  return key
}

function isNotOfPictures(fault: string): boolean {
  return !fault.includes('404')
}
