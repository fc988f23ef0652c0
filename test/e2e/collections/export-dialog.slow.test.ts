// The export of a collection in a browser. The games of the sample stand for games that apps have.
import { afterAll, beforeAll, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  testEachScreen,
} from '../../support/browser.ts'
import { callsOf } from '../../support/collections/collection-calls.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('the export of a collection', () => {
  let testServer: TestServer
  let id: string

  beforeAll(async () => {
    testServer = await startTestServer()
    const { testApp } = testServer
    testApp.catalogDb.exec(`
      UPDATE games SET slug = 'magic' WHERE id = 9002;
      UPDATE games SET slug = 'lorcana' WHERE id = 9003;
      UPDATE sets SET name = 'Rise of the Floodborn' WHERE game_id = 9003`)
    const { create, add } = callsOf(testApp)
    id = await create()
    const cards = [900201, 900202, 900402].map((card_id) => ({ card_id }))
    expect((await add(id, cards)).status).toBe(201)
  })
  afterAll(() => testServer.close())

  testEachScreen(
    'offers the formats of its games, and says what is left out, on a %s',
    async (_, screen) => {
      const user = await openBrowserUser(testServer.url, screen)
      const { page, inspect } = user
      await user.freezeTime(FROZEN_TIME)
      await testServer.logIn(user, 'pro')
      await page.goto(`/collection/${id}`)
      await page.getByRole('heading', { name: 'By game' }).waitFor()
      await page.getByRole('button', { name: 'Export' }).click()
      const dialog = page.getByRole('dialog')
      const format = dialog.getByLabel('Format')
      expect(await format.locator('option').allTextContents()).toEqual([
        'Everything (CSV)',
        'TCGplayer',
        'Collectr',
        'Moxfield',
        'ManaBox',
        'Archidekt',
        'Deckbox',
        'Dragon Shield',
        'Dreamborn',
      ])
      expect(await inspect('collection-export')).toEqual([])
      await format.selectOption('Dreamborn')
      await expectVisible(dialog.getByText('2 items of other games are left out.'))
      await expectVisible(dialog.getByText(/open it there, not in a spreadsheet/))
      expect(await inspect('collection-export-app')).toEqual([])
      const isInside = await dialog.evaluate((element) => {
        const { left, right, bottom } = element.getBoundingClientRect()
        const { clientWidth, clientHeight } = document.documentElement
        return (
          left >= 0 &&
          right <= clientWidth &&
          bottom <= clientHeight &&
          element.scrollWidth <= element.clientWidth
        )
      })
      expect(isInside).toBe(true)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download' }).click(),
      ])
      expect(download.suggestedFilename()).toBe('Binder-dreamborn.csv')
      const file = readFileSync((await download.path()) ?? '', 'utf8')
      expect(file.split('\r\n')[0]).toBe('Set Number,Card Number,Variant,Count,Name,Color,Rarity')
      await user.closeClean()
    },
  )
})
