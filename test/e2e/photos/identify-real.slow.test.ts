// Browser test of photo identification with the real reader on the sample catalog.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { describeInBrowser, openBrowserUser } from '../../support/browser.ts'
import { finishSetup } from '../../support/finish-setup.ts'
import { findFreePort } from '../../support/free-port.ts'
import { choosePhoto, samplePhotoPath } from '../../support/photos/photo-fixtures.ts'
import { createServerProcess, type ServerProcess } from '../../support/server-process.ts'

const PICTURES = 116

describeInBrowser('a sample photo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-photo-story-'))
  let server: ServerProcess
  let url: string

  beforeAll(async () => {
    await finishSetup(folder)
    const port = await findFreePort()
    url = `http://localhost:${port}`
    const env = { PUBLIC_URL: url, BACKUP_DIR: 'off' }
    server = createServerProcess({ dataDir: folder, port, env, args: ['--with-sample'] })
    server.spawn()
    while ((await pictures(url)) !== PICTURES) await Bun.sleep(200)
  }, 300_000)

  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is identified by its art; shared art gives several candidates', async () => {
    const { page, context, takeScreenshot, closeClean } = await openBrowserUser(url)
    await context.addCookies([{ ...(await createSessionCookie(url)), url, httpOnly: true }])
    await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
    await page.goto('/identify')
    await page.getByRole('link', { name: '25 free scans' }).waitFor()
    await choosePhoto(page, 'clean')
    await page.getByText('Match found').waitFor()
    await page.getByRole('article').getByRole('link', { name: 'Tide Clerk' }).waitFor()
    await page.getByRole('link', { name: '24 scans left' }).waitFor()
    await page.waitForLoadState('networkidle')
    await takeScreenshot('identify real')

    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'covered.jpg',
        mimeType: 'image/jpeg',
        buffer: await coverNumber(samplePhotoPath('reprint')),
      })
    await page.getByRole('heading', { name: 'Which of these is it?' }).waitFor()
    const whisht = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'Whisht' }) })
    expect(await whisht.count()).toBeGreaterThanOrEqual(2)
    await page.waitForLoadState('networkidle')
    await takeScreenshot('identify real several')
    await closeClean()
  })
})

/** Covers the number of a card that stands in two sets with a label. */
async function coverNumber(photo: string): Promise<Buffer> {
  const create = { width: 420, height: 130, channels: 3, background: '#223' } as const
  // The reader's process loads pictures from memory only.
  return await sharp(await Bun.file(photo).bytes())
    .composite([{ input: { create }, left: 220, top: 1190 }])
    .jpeg()
    .toBuffer()
}

/** Returns the number of indexed images; undefined while the server starts. */
async function pictures(url: string): Promise<number | undefined> {
  const text = await fetch(`${url}/metrics`).then(
    (response) => response.text(),
    () => '',
  )
  const line = text.split('\n').find((one) => one.startsWith('cardstock_reader_pictures '))
  return line === undefined ? undefined : Number(line.split(' ')[1])
}

/** Creates an account and returns its session cookie. */
async function createSessionCookie(url: string): Promise<{ name: string; value: string }> {
  const body = JSON.stringify({ email: 'new@guests.example', password: 'eight characters' })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/v1/auth/register`, { method: 'POST', headers, body })
  const login = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body })
  const [name = '', value = ''] = (login.headers.getSetCookie()[0] ?? '').split(/[=;]/)
  return { name, value }
}
