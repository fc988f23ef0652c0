// Browser tests of the import of older prices, on a server with its jobs on the day after its first sync.
import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BrowserUser,
  describeInBrowser,
  openBrowserUser,
  SCREENS,
  testEachScreen,
} from '../../support/browser.ts'
import { createTempFolder } from '../../support/closers.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { findFreePort } from '../../support/free-port.ts'
import { smallDays, writeFolder, writeTarGz } from '../../support/sync/archives.ts'
import { OPERATOR, openOperatedServer } from '../../support/sync/operated-server.ts'

const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

/** Starts a server on its first day. @param isSetUp false: the setup is at its last page */
async function openServer({ isSetUp } = { isSetUp: true }) {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const { app, deps, dataDir } = await openOperatedServer(new Date().toISOString(), {
    PUBLIC_URL: url,
    BULK_FILES: 'off',
    ...(!isSetUp && { SERVICE_MODE: 'business', INDEX_PICTURES: 'off' }),
  })
  if (isSetUp) await deps.liveConfig.store({ isSetUp }, new Date())
  app.listen({ hostname: '127.0.0.1', port, idleTimeout: 30 })
  closeAfterUse(async () => void (await app.server?.stop(true)))
  return {
    url,
    importFolder: join(dataDir, 'import'),
    async logIn({ context, page }: BrowserUser) {
      await context.request.post(`${url}/v1/auth/login`, { data: OPERATOR })
      await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    },
  }
}

describeInBrowser('older prices', () => {
  testEachScreen(
    'are offered on the first day, and imported from an upload: %s',
    async (_, screen) => {
      const server = await openServer()
      const browser = await openBrowserUser(server.url, screen)
      const { page, closeClean, inspect, takeScreenshot } = browser
      await server.logIn(browser)
      // The invented picture is at a host that does not exist.
      await page.route('**/pictures/**', (route) =>
        route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        }),
      )
      await page.goto('/cards/110')
      await page.getByRole('heading', { name: /^First price: / }).waitFor()
      await takeScreenshot(`card on its first day ${screen.width}`)
      await page.getByRole('link', { name: 'Import older prices' }).click()
      const panel = page.getByRole('region', { name: 'Older prices' })
      await panel.getByRole('button', { name: 'Upload archive…' }).waitFor()
      // The link leads to the panel, although it is far down.
      await page.waitForFunction(() => {
        const box = document.querySelector('#older-prices')?.getBoundingClientRect()
        return box !== undefined && box.top >= -1 && box.top < innerHeight / 2
      })
      expect(await inspect('older prices, none')).toEqual([])

      const archive = join(createTempFolder('cardstock-older-'), 'my prices (13 days).tar.gz')
      writeTarGz(archive, smallDays(13, YESTERDAY))
      await panel.getByLabel('Archive', { exact: true }).setInputFiles(archive)
      await panel.getByText('13 days, 364 prices').waitFor()
      await panel.getByText('uploaded-my prices (13 days).tar.gz').waitFor()
      expect(await inspect('older prices, imported')).toEqual([])
      await takeScreenshot(`operator with older prices ${screen.width}`)
      await page.goto('/cards/110')
      await page.locator('.chart canvas').waitFor()
      expect(await page.getByText('Import older prices').count()).toBe(0)
      await takeScreenshot(`card after the import ${screen.width}`)
      await closeClean()
    },
  )

  testEachScreen(
    'are imported at the end of the setup, from an upload and a folder: %s',
    async (_, screen) => {
      const server = await openServer({ isSetUp: false })
      writeFolder(join(server.importFolder, 'extracted'), smallDays(2, YESTERDAY))
      const browser = await openBrowserUser(server.url, screen)
      const { page, closeClean, inspect, takeScreenshot } = browser
      await server.logIn(browser)
      await page.goto('/setup')
      await page.getByRole('heading', { name: 'Ready' }).waitFor()
      const panel = page.getByRole('region', { name: 'Older prices' })
      await panel.getByRole('button', { name: 'Import', exact: true }).click()
      await panel.getByText('2 days, 56 prices').waitFor()
      const archive = join(createTempFolder('cardstock-older-'), 'prices.tar.gz')
      writeTarGz(archive, smallDays(13, YESTERDAY))
      await panel.getByLabel('Archive', { exact: true }).setInputFiles(archive)
      await panel.getByText('13 days, 364 prices').waitFor()
      expect(await inspect('setup, older prices imported')).toEqual([])
      await takeScreenshot(`setup with older prices ${screen.width}`)
      await page.getByRole('button', { name: 'Open the dashboard' }).click()
      await page.waitForURL('**/')
      await closeClean()
    },
  )

  test('of a folder of the server are imported, canceled and resumed, and failures are named', async () => {
    const server = await openServer()
    mkdirSync(server.importFolder, { recursive: true })
    writeTarGz(join(server.importFolder, 'years.tar.gz'), smallDays(4_000, YESTERDAY))
    writeFileSync(join(server.importFolder, 'notes.zip'), 'hello')
    const browser = await openBrowserUser(server.url, SCREENS[0])
    const { page, closeClean, inspect } = browser
    await server.logIn(browser)
    await page.goto('/operator')
    const panel = page.getByRole('region', { name: 'Older prices' })
    const choice = panel.getByRole('combobox', { name: 'Archive or folder' })
    await choice.selectOption('notes.zip')
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByText('The import failed.').waitFor()
    await panel.getByText('The file is not an archive.').waitFor()
    expect(await inspect('older prices, failed')).toEqual([])

    await choice.selectOption('years.tar.gz')
    await panel.getByRole('button', { name: 'Import', exact: true }).click()
    await panel.getByText(/ of 4,000 days, /).waitFor()
    await panel.getByRole('button', { name: 'Cancel import' }).click()
    await panel.getByText(/^The import was canceled after .+ of 4,000 days\.$/).waitFor()
    await panel.getByRole('button', { name: 'Resume' }).click()
    // Tens of seconds on a busy machine.
    await panel.getByText('4,000 days, 112,000 prices').waitFor({ timeout: 240_000 })
    await closeClean()
  }, 300_000)
})
