// How photos come in, in a real browser: pasted, dropped, chosen, taken; and which are sent how.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'
import { BROWSER_MISSING, openBrowserUser, SCREENS, type Screen } from '../../support/browser.ts'
import {
  choosePhoto,
  OBSERVATIONS,
  pasteOrDrop,
  samplePhotoPath,
} from '../../support/photos/photo-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

if (BROWSER_MISSING !== undefined) console.info(`skipped: ${BROWSER_MISSING}`)

const FOUND = 'The one card that fits the photo'

describe.skipIf(BROWSER_MISSING !== undefined)('a photo', () => {
  const eye = fakeReader()
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ reader: eye })
  })
  beforeEach(() => {
    eye.script(() => OBSERVATIONS.one)
    eye.requests.length = 0
  })
  afterAll(() => testServer.close())

  async function enter(screen: Screen = SCREENS[2]) {
    const reader = await openBrowserUser(testServer.url, screen)
    await testServer.logIn(reader, 'pro')
    await reader.page.goto('/identify')
    await reader.page.getByRole('heading', { name: 'Show a card' }).waitFor()
    return reader
  }

  test('can be pasted and dropped anywhere, and the target says when to let go', async () => {
    const { page, faults, audit, takeScreenshot, close } = await enter()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'a.jpg'))
      document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
    })
    await page.getByText('Let go, and it is read').waitFor()
    await takeScreenshot('identify drag')
    expect(await audit()).toEqual([])

    await pasteOrDrop(page, 'drop', 'slab')
    await page.getByText(FOUND).waitFor()
    await pasteOrDrop(page, 'paste', 'clean')
    await page.getByRole('link', { name: 'Weathercock Baron', exact: false }).nth(2).waitFor()
    const strip = page.getByRole('navigation', { name: 'Photos of this visit' })
    expect(await strip.getByRole('link').count()).toBe(2)
    expect(eye.requests.length).toBe(2)

    await strip.getByRole('button', { name: 'Forget them' }).click()
    await page.getByRole('heading', { name: 'Show a card' }).waitFor()
    expect(await page.locator('img[src^=blob]').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  test('of another kind is refused before it is sent, as the API would; two at once are, too', async () => {
    const { page, faults, takeScreenshot, close } = await enter()
    const file = join(import.meta.dir, '../../../README.md')
    await page.locator('input[type=file]').setInputFiles(file)
    const words = await refusalOf(testServer, await Bun.file(file).bytes())
    await page.getByRole('alert').getByText(words).waitFor()
    await takeScreenshot('identify refused')

    await page.locator('input[type=file]').setInputFiles({
      name: 'huge.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([Buffer.from([255, 216, 255]), Buffer.alloc(8 * 1024 * 1024)]),
    })
    const tooLarge = await refusalOf(testServer, new Uint8Array(8 * 1024 * 1024 + 1).fill(1))
    await page.getByRole('alert').getByText(tooLarge).waitFor()

    // A folder that is dropped, or a file that was moved away since: the disk refuses to read it.
    await page.evaluate(() => {
      const { slice } = Blob.prototype
      Blob.prototype.slice = function (this: Blob) {
        Blob.prototype.slice = slice
        const gone = new DOMException('A requested file could not be found.', 'NotFoundError')
        return Object.assign(slice.call(this), { arrayBuffer: () => Promise.reject(gone) })
      }
    })
    await page.locator('input[type=file]').setInputFiles(samplePhotoPath('slab'))
    await page.getByText('The file cannot be opened').waitFor()

    // Words that are pasted into a field come with a picture of them.
    await page
      .getByRole('combobox', { name: 'Search cards' })
      .first()
      .evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add('Whisht', 'text/plain')
        clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
        const how = { bubbles: true, cancelable: true }
        const isLeft = field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, ...how }))
        if (!isLeft) throw new Error('the words are not pasted')
      })

    await pasteOrDrop(page, 'drop', 'slab', 'clean')
    await page.getByText('Each photo is read by itself: choose one of them.').waitFor()
    expect(eye.requests).toEqual([])
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  test('of a phone is sent upright, and with 2,000 pixels a side', async () => {
    const { page, faults, close } = await enter()
    // It lies on its side, and says so: what is red is above what is blue when it is upright.
    const red = { width: 1_500, height: 2_000, channels: 3, background: '#d02020' } as const
    const buffer = await sharp({ create: red })
      .extend({ right: 1_500, background: '#2020d0' })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'phone.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByText(FOUND).waitFor()
    const sent = sharp(eye.requests[0]?.photo)
    const { width, height, format, orientation } = await sent.metadata()
    expect([format, width, height, orientation]).toEqual(['jpeg', 1_333, 2_000, undefined])
    const { data } = await sent.raw().toBuffer({ resolveWithObject: true })
    const [firstRed, lastBlue] = [data[0] ?? 0, data.at(-1) ?? 0]
    expect([firstRed > 180, lastBlue > 180]).toEqual([true, true])
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  test('can be taken with the live camera, which is stopped', async () => {
    const { page, context, faults, audit, takeScreenshot, close } = await enter()
    await context.grantPermissions(['camera'])
    await page.evaluate(() => {
      const { mediaDevices } = navigator
      const open = mediaDevices.getUserMedia.bind(mediaDevices)
      mediaDevices.getUserMedia = async (wanted) => {
        const stream = await open(wanted)
        Object.assign(globalThis, { opened: stream })
        return stream
      }
    })
    const isLive = () =>
      page.evaluate(() => {
        const { opened } = globalThis as unknown as { opened: MediaStream } // as it was put there
        return opened.active
      })
    const open = page.getByRole('button', { name: 'Live camera' })
    await open.click()
    const shutter = page.getByRole('button', { name: 'Take the photo' })
    await page.locator('button:enabled', { hasText: 'Take the photo' }).waitFor()
    await takeScreenshot('identify camera')
    expect(await audit()).toEqual([])
    expect(await isLive()).toBe(true)
    await page.keyboard.press('Escape')
    await shutter.waitFor({ state: 'detached' })
    expect(await isLive()).toBe(false)
    // The focus is where it was.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Live camera')

    await page.keyboard.press('Enter')
    await page.locator('button:enabled', { hasText: 'Take the photo' }).waitFor()
    const box = await page.getByLabel('What the camera sees').boundingBox()
    // A double click is one photo.
    await shutter.dblclick()
    await page.getByText(FOUND).waitFor()
    expect(await isLive()).toBe(false)
    expect(eye.requests.length).toBe(1)
    const { format, width, height } = await sharp(eye.requests[0]?.photo).metadata()
    expect(format).toBe('jpeg')
    // What was seen is what is sent.
    expect(width / height).toBeCloseTo((box?.width ?? 0) / (box?.height ?? 1), 2)
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  test('cannot be taken where the camera may not be used, and that is told', async () => {
    const { page, audit, takeScreenshot, close } = await enter(SCREENS[0])
    await page.getByRole('button', { name: 'Live camera' }).click()
    await page.getByText('This page may not use the camera.').waitFor()
    await takeScreenshot('identify camera refused')
    expect(await audit()).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    await close()
  }, 60_000)

  test('is for who has an account: visitors are told what they would see', async () => {
    for (const sight of [SCREENS[0], SCREENS[3]]) {
      const { page, faults, audit, takeScreenshot, close } = await openBrowserUser(
        testServer.url,
        sight,
      )
      await page.goto('/identify')
      const login = page.getByRole('link', { name: 'Log in or register' })
      await login.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await login.getAttribute('href')).toBe('/login?to=%2Fidentify')
      await takeScreenshot('identify visitor')
      expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true)
      expect(await audit()).toEqual([])
      expect(faults).toEqual([])
      await close()
    }
  }, 60_000)
})

/** What the API says to such a photo. */
async function refusalOf(testServer: TestServer, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const headers = { 'content-type': 'image/jpeg' }
  const reply = await testServer.testApp.client.ask('POST', '/v1/identify', {
    as: 'pro',
    body,
    headers,
  })
  return reply.body.error?.message ?? 'no refusal'
}
