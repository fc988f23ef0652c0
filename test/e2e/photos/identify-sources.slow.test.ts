// Browser tests of photo sources: paste, drop, file and camera.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'
import {
  describeInBrowser,
  expectFocused,
  openBrowserUser,
  SCREENS,
  type Screen,
} from '../../support/browser.ts'
import {
  choosePhoto,
  OBSERVATIONS,
  pasteOrDrop,
  samplePhotoPath,
} from '../../support/photos/photo-fixtures.ts'
import { fakeReader } from '../../support/photos/reader-fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const FOUND = 'Match found'

describeInBrowser('a photo', () => {
  const photoReader = fakeReader()
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer({ reader: photoReader })
  })
  beforeEach(() => {
    photoReader.script(() => OBSERVATIONS.one)
    photoReader.requests.length = 0
  })
  afterAll(() => testServer.close())

  async function enter(screen: Screen = SCREENS[2]) {
    const user = await openBrowserUser(testServer.url, screen)
    await testServer.logIn(user, 'pro')
    await user.page.goto('/identify')
    await user.page.getByRole('heading', { name: 'Add a photo' }).waitFor()
    return user
  }

  test('can be pasted and dropped anywhere on the page', async () => {
    const { page, closeClean, inspect } = await enter()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'a.jpg'))
      document.body.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true }))
    })
    await page.getByText('Drop the photo to identify it').waitFor()
    expect(await inspect('identify drag')).toEqual([])

    await pasteOrDrop(page, 'drop', 'slab')
    await page.getByText(FOUND).waitFor()
    await pasteOrDrop(page, 'paste', 'clean')
    await page.getByRole('link', { name: 'Weathercock Baron', exact: false }).nth(2).waitFor()
    const strip = page.getByRole('navigation', { name: 'Recent photos' })
    await strip.getByRole('link').nth(1).waitFor()
    expect(await strip.getByRole('link').count()).toBe(2)
    expect(photoReader.requests.length).toBe(2)

    await strip.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('heading', { name: 'Add a photo' }).waitFor()
    expect(await page.locator('img[src^=blob]').count()).toBe(0)
    await closeClean()
  })

  test('in an unsupported format is rejected before the upload', async () => {
    const { page, takeScreenshot, closeClean } = await enter()
    const file = join(import.meta.dir, '../../../README.md')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').getByText('This file isn’t a readable image').waitFor()
    await takeScreenshot('identify refused')

    await page.locator('input[type=file]').setInputFiles({
      name: 'phone.heic',
      mimeType: 'image/heic',
      buffer: Buffer.from('\0\0\0\x18ftypheic'),
    })
    await page.getByRole('alert').getByText('Settings, Camera, Formats').waitFor()

    await page.locator('input[type=file]').setInputFiles({
      name: 'huge.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([Buffer.from([255, 216, 255]), Buffer.alloc(8 * 1024 * 1024)]),
    })
    await page.getByRole('alert').getByText('The image is too large').waitFor()

    // A dropped folder or a deleted file cannot be read.
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

    // Pasted text can come with an image of it.
    await page
      .getByRole('combobox', { name: 'Search cards' })
      .first()
      .evaluate((field) => {
        const clipboardData = new DataTransfer()
        clipboardData.items.add('Whisht', 'text/plain')
        clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }))
        const how = { bubbles: true, cancelable: true }
        const isPasted = field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, ...how }))
        if (!isPasted) throw new Error('the text was not pasted')
      })

    expect(photoReader.requests).toEqual([])
    await closeClean()
  })

  test('from a phone is sent upright, with 2,000 pixels per side', async () => {
    const { page, closeClean } = await enter()
    // The file is rotated with an EXIF orientation: upright, red is above blue.
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
    const sent = sharp(photoReader.requests[0]?.photo)
    const { width, height, format, orientation } = await sent.metadata()
    expect([format, width, height, orientation]).toEqual(['jpeg', 1_333, 2_000, undefined])
    const { data } = await sent.raw().toBuffer({ resolveWithObject: true })
    const [firstRed, lastBlue] = [data[0] ?? 0, data.at(-1) ?? 0]
    expect([firstRed > 180, lastBlue > 180]).toEqual([true, true])
    await closeClean()
  })

  test('that only the browser reads is sent as JPEG', async () => {
    const { page, closeClean } = await enter()
    const buffer = await sharp({
      create: { width: 630, height: 880, channels: 3, background: '#d02020' },
    })
      .avif()
      .toBuffer()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'card.avif', mimeType: 'image/avif', buffer })
    await page.getByText(FOUND).waitFor()
    const { format, width, height } = await sharp(photoReader.requests[0]?.photo).metadata()
    expect([format, width, height]).toEqual(['jpeg', 630, 880])
    await closeClean()
  })

  test('is taken with a camera that was interrupted', async () => {
    const { page, context, closeClean, inspect } = await enter()
    await context.grantPermissions(['camera'])
    await page.getByRole('button', { name: 'Live camera' }).click()
    const shutter = page.locator('button:enabled', { hasText: 'Take photo' })
    const happen = (event: string) =>
      page.getByLabel('Camera preview').evaluate((video, event) => {
        const stream = (video as HTMLVideoElement).srcObject as MediaStream
        const [track] = stream.getVideoTracks()
        if (event === 'ended') track?.stop()
        track?.dispatchEvent(new Event(event))
      }, event)
    // A call takes the camera for a while.
    await shutter.waitFor()
    await happen('mute')
    await page.getByText('The camera was interrupted').waitFor()
    expect(await inspect('identify camera interrupted')).toEqual([])
    await happen('unmute')
    await shutter.waitFor()
    // A locked screen ends it.
    await happen('ended')
    await page.waitForFunction(() => {
      const stream = document.querySelector('video')?.srcObject as MediaStream
      return stream.getVideoTracks()[0]?.readyState === 'live'
    })
    await shutter.click()
    await page.getByText(FOUND).waitFor()
    await closeClean()
  })

  test('can be taken with the live camera, which stops afterwards', async () => {
    const { page, context, closeClean, inspect } = await enter()
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
    const shutter = page.getByRole('button', { name: 'Take photo' })
    await page.locator('button:enabled', { hasText: 'Take photo' }).waitFor()
    expect(await inspect('identify camera')).toEqual([])
    expect(await isLive()).toBe(true)
    await page.keyboard.press('Escape')
    await shutter.waitFor({ state: 'detached' })
    while (await isLive()) await Bun.sleep(5)
    // The focus returns.
    await expectFocused(open)

    await page.keyboard.press('Enter')
    await page.locator('button:enabled', { hasText: 'Take photo' }).waitFor()
    const box = await page.getByLabel('Camera preview').boundingBox()
    // A double click takes one photo.
    await shutter.dblclick()
    await page.getByText(FOUND).waitFor()
    while (await isLive()) await Bun.sleep(5)
    expect(photoReader.requests.length).toBe(1)
    const { format, width, height } = await sharp(photoReader.requests[0]?.photo).metadata()
    expect(format).toBe('jpeg')
    // The photo has the shape of the preview.
    expect(width / height).toBeCloseTo((box?.width ?? 0) / (box?.height ?? 1), 2)
    await closeClean()
  })

  test('cannot be taken if camera access is blocked', async () => {
    const { page, close, inspect } = await enter(SCREENS[0])
    await page.getByRole('button', { name: 'Live camera' }).click()
    await page.getByText('Camera access is blocked.').waitFor()
    expect(await inspect('identify camera refused')).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    await choosePhoto(page, 'slab')
    await page.getByText(FOUND).waitFor()
    await close()
  })

  test('requires an account: visitors see an introduction', async () => {
    for (const screen of [SCREENS[0], SCREENS[3]]) {
      const { page, audit, takeScreenshot, closeClean } = await openBrowserUser(
        testServer.url,
        screen,
      )
      await page.goto('/identify')
      const login = page.getByRole('link', { name: 'Log in or create account' })
      await login.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await login.getAttribute('href')).toBe('/login?to=%2Fidentify')
      await takeScreenshot('identify visitor')
      expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true)
      expect(await audit()).toEqual([])
      await closeClean()
    }
  })
})
