// Browser test of the choice among cards of rows without a set.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, SCREEN_SIZES } from '../../support/browser.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const [PHONE] = SCREEN_SIZES

describeInBrowser('an import', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  test('takes the card that the collector prefers, says so, and remembers it', async () => {
    const user = await openBrowserUser(testServer.url, PHONE)
    await user.freezeTime(FROZEN_TIME)
    await testServer.logIn(user, 'pro')
    const { page, inspect } = user
    await page.goto('/collection?new')
    await page.getByRole('dialog').getByLabel('Name').fill('Deck')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Deck' }).waitFor()

    const dialog = page.getByRole('dialog')
    const prefer = dialog.getByLabel('Card of rows without a set')
    const importCindle = async () => {
      await dialog.getByLabel('Or paste a list').fill('1 Cindle')
      await dialog.getByRole('button', { name: 'Continue' }).click()
      const row = page
        .getByRole('list', { name: /^Assumed/ })
        .getByRole('listitem')
        .first()
      const path = await row.getByRole('link', { name: 'Cindle' }).getAttribute('href')
      await page.getByRole('button', { name: 'Import 1 row' }).click()
      await page.getByRole('link', { name: 'Open it' }).click()
      return path
    }
    await page.getByRole('button', { name: 'Import' }).click()
    expect(await prefer.inputValue()).toBe('regular')
    expect(await inspect('import')).toEqual([])
    expect(await importCindle()).toBe('/cards/900101')
    await page.getByRole('button', { name: 'Import' }).click()
    await prefer.selectOption('Highest price')
    expect(await importCindle()).toBe('/cards/900001')
    await page.reload()
    await page.getByRole('button', { name: 'Import' }).click()
    expect(await prefer.inputValue()).toBe('highest')
    await user.closeClean()
  }, 120_000)
})
