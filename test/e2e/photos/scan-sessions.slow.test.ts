// Browser tests of scan sessions: dropped photos, the camera, the review, and a server that is killed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import {
  type BrowserUser,
  describeInBrowser,
  openBrowserUser,
  SCREEN_SIZES,
} from '../../support/browser.ts'
import { finishSetup } from '../../support/finish-setup.ts'
import { renderScene, samplePicture, writeCameraVideo } from '../../support/photos/camera-scenes.ts'
import { fakeFingerprint } from '../../support/photos/fake-pipeline.ts'
import { scriptedPhoto } from '../../support/photos/fake-reader.ts'
import { OBSERVATIONS, pasteOrDrop, samplePhotoPath } from '../../support/photos/photo-fixtures.ts'
import { createPhotoProcess } from '../../support/photos/photo-process.ts'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createLedgerFile, PASSWORD } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const [PHONE, DESKTOP] = SCREEN_SIZES

describeInBrowser('a scan session', () => {
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

  async function enter(path: string, screen: (typeof SCREEN_SIZES)[number] = DESKTOP) {
    const user = await openBrowserUser(testServer.url, screen)
    await testServer.logIn(user, 'pro')
    await user.page.goto(path)
    return user
  }

  /** Reads photos in turn as scripted; the last script applies to all further photos. */
  function readInTurn(...scripts: readonly (PhotoObservation | (() => never))[]): void {
    let at = 0
    photoReader.script(() => {
      const script = scripts[at++] ?? scripts.at(-1) ?? OBSERVATIONS.one
      return typeof script === 'function' ? script() : script
    })
  }

  const rows = ({ page }: BrowserUser) =>
    page.getByRole('region', { name: 'List of cards' }).getByRole('row')

  test('begins with dropped photos; keys decide about doubtful cards, and the list is exported', async () => {
    const user = await enter('/identify')
    const { page, inspect } = user
    await page.getByRole('heading', { name: 'Add a photo' }).waitFor()
    const { one, several } = OBSERVATIONS
    readInTurn(one, several, one, several)
    await pasteOrDrop(page, 'drop', 'slab', 'clean', 'slab', 'clean', 'slab')
    await page.getByText('5 photos read').waitFor()
    await page.getByText('3 cards left').waitFor()
    await rows(user).nth(2).waitFor()
    await page.getByAltText('Yours').waitFor()
    expect(await inspect('scan session')).toEqual([])

    await page.getByRole('button', { name: 'Review 3 cards' }).click()
    await page.keyboard.press('2')
    await page.getByText('2 cards left').waitFor()
    await page.keyboard.press('s')
    await page.keyboard.press('1')
    await page.getByText('1 card left').waitFor()
    await page.keyboard.press('0')
    await page.getByRole('heading', { name: 'To review' }).waitFor({ state: 'detached' })
    await rows(user).nth(4).waitFor()
    const names = await rows(user).getByRole('rowheader').getByRole('link').allTextContents()
    expect(names.toSorted()).toEqual(['Weathercock Baron', 'Weathercock Baron', 'Whisht', 'Whisht'])

    // The first row, whichever photo was read first.
    await rows(user).nth(1).getByRole('button', { name: 'Duplicate' }).click()
    await rows(user).nth(5).waitFor()
    await rows(user).nth(1).getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Quantity').fill('3')
    await page.getByRole('dialog').getByLabel('Language').selectOption('ja')
    expect(await inspect('scan session edit')).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await rows(user).filter({ hasText: 'Japanese' }).waitFor()
    await rows(user).nth(2).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await rows(user).nth(5).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    const exported = readFileSync((await download.path()) ?? '', 'utf8')
      .trim()
      .split('\n')
    expect(exported).toHaveLength(1 + 4)
    await page.getByRole('button', { name: 'Add to collection' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('are now in “Collection”.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Scan sessions' }).click()
    await page.getByText('6 cards').waitFor()
    expect(await inspect('scan sessions')).toEqual([])
    await user.closeClean()
  })

  test('preselects a likely card, which Enter confirms once for each photo that was seen', async () => {
    const user = await enter('/identify')
    const { page, inspect } = user
    await page.getByRole('heading', { name: 'Add a photo' }).waitFor()
    readInTurn(OBSERVATIONS.perhaps)
    await pasteOrDrop(page, 'drop', 'slab', 'clean', 'slab')
    await page.getByText('3 cards left').waitFor()
    await page.getByText('Market value of the reviewed cards').waitFor()
    // Cards wait for a decision, so there are cards.
    expect(await page.getByText('No cards yet').count()).toBe(0)
    const likely = page.getByRole('button', { name: 'Likely Whistlewick' })
    await likely.waitFor()
    expect(await inspect('scan session likely')).toEqual([])

    // The keys work after a click, too.
    await likely.click()
    await page.getByText('2 cards left').waitFor()
    await likely.waitFor()
    await page.keyboard.down('Enter')
    await page.getByText('1 card left').waitFor()
    await likely.waitFor()
    // A key that is held decides about one card only.
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.keyboard.press('0')
    await page.getByRole('heading', { name: 'To review' }).waitFor({ state: 'detached' })
    await rows(user).nth(2).waitFor()
    const names = await rows(user).getByRole('rowheader').getByRole('link').allTextContents()
    expect(names).toEqual(['Whistlewick', 'Whistlewick'])
    await user.closeClean()
  })

  test('says how many pictures are indexed, and when the others will be', async () => {
    const user = await enter('/identify')
    const { page, inspect } = user
    await page.getByRole('heading', { name: 'Pictures: 0 of 116 indexed' }).waitFor()
    await page.getByText('a card is found by its print').waitFor()
    expect(await inspect('identify without pictures')).toEqual([])

    const { config, now } = testServer.testApp.deps
    const index = openPictureIndex(config.dataDir)
    const query = { model: 'm1', game: 'wickerwild', now: now() }
    for (const [at, id] of index?.listDue(query).slice(0, 30).entries() ?? []) {
      const card = index?.getDue(id, query)
      if (card === undefined) throw new Error('The picture is not due.')
      const check = { ...card, model: 'm1', now: new Date(now().getTime() - 1_000 * (30 - at)) }
      index?.put(check, { ...fakeFingerprint(`${id}`), etag: null }, [], 0)
    }
    await page.goto('/identify/sessions')
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByRole('heading', { name: /^Pictures: 30 of 116 indexed, ready / }).waitFor()
    index?.removeOtherModels('none', now())
    index?.close()
    await user.closeClean()
  })

  test('waits for scans and for the server, keeps refused photos, and continues by a button', async () => {
    const user = await enter('/identify/sessions', PHONE)
    const { page, problems, inspect } = user
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByRole('heading', { name: 'Add photos' }).waitFor()
    readInTurn(fail('INVALID_IMAGE'), fail('IDENTIFY_UNAVAILABLE'), OBSERVATIONS.several)
    await page
      .locator('input[type=file]')
      .setInputFiles(['slab', 'clean', 'slab'].map(samplePhotoPath))
    await page.getByText('It failed: INVALID_IMAGE.').waitFor()
    await page.getByText('2 photos read').waitFor()
    await page.getByText('2 cards left').waitFor()
    expect(await inspect('scan session refused')).toEqual([])
    readInTurn(fail('SCAN_BALANCE_EMPTY'), OBSERVATIONS.one)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No scans left' }).waitFor()
    expect(await inspect('scan session without scans')).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).waitFor()

    // Another account in this browser sees and sends nothing.
    const sent = photoReader.requests.length
    const address = page.url()
    await testServer.logIn(user, 'free')
    await page.goto(address)
    await page.getByRole('heading', { name: 'Scan session not found' }).waitFor()
    await page.goto('/identify/sessions')
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByText('No cards yet.').waitFor()
    expect(photoReader.requests.length).toBe(sent)
    await testServer.logIn(user, 'pro')
    await page.goto(address)
    await page.getByText('1 photo read').waitFor()
    expect(photoReader.requests.length).toBe(sent + 1)
    expect(problems.filter((problem) => !/\b(400|402|404|503)\b/.test(problem))).toEqual([])
    await user.close()
  })

  test('reads all cards of a photo that was sent as one of a single card', async () => {
    const user = await enter('/identify/sessions')
    const { page, inspect } = user
    await page.getByRole('button', { name: 'New session' }).click()
    readInTurn(OBSERVATIONS.two, OBSERVATIONS.one)
    photoReader.page = [PHOTO.jpeg, PHOTO.jpeg]
    await page.locator('input[type=file]').setInputFiles(samplePhotoPath('two-cards'))
    await page.getByText('1 card left').waitFor()
    const offer = page.getByRole('button', { name: 'Read all cards' })
    await offer.waitFor()
    expect(await inspect('scan session of several cards')).toEqual([])
    await page.getByRole('button', { name: 'Review 1 card' }).click()
    await page.keyboard.press('a')
    await page.getByText('2 photos read').waitFor()
    // The cards replace the item of the photo.
    await rows(user).nth(2).waitFor()
    await page.getByRole('heading', { name: 'To review' }).waitFor({ state: 'detached' })
    expect(await rows(user).count()).toBe(1 + 2)
    await user.closeClean()
  })

  test('cuts cards that a page left unread from its photo, and sends each on its own', async () => {
    const user = await enter('/identify/sessions')
    const { page } = user
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByLabel('Several cards in one photo').check()
    photoReader.page = [PHOTO.jpeg, PHOTO.jpeg]
    readInTurn(OBSERVATIONS.one, fail('IDENTIFY_UNAVAILABLE'), OBSERVATIONS.one)
    await page.locator('input[type=file]').setInputFiles(samplePhotoPath('clean'))
    await page.getByText('2 photos read').waitFor()
    await rows(user).nth(2).waitFor()
    const [whole, cut] = await Promise.all(
      [readFileSync(samplePhotoPath('clean')), photoReader.requests.at(-1)?.photo].map((photo) =>
        sharp(photo).metadata(),
      ),
    )
    // The second of three columns of the page, and a rim.
    expect((cut?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(630 / 3_000 + 0.035, 1)
    await user.closeClean()
  })

  test('loses no photo and pays for none twice if the server is killed and the page is closed', async () => {
    const { folder, close } = await createLedgerFile()
    await finishSetup(folder)
    const server = await createPhotoProcess({ dataDir: folder })
    const user = await openBrowserUser(server.url, DESKTOP)
    const { page, context } = user
    try {
      await server.start()
      const cookie = await register(server.url)
      await context.addCookies([cookie])
      await page.addInitScript(() => localStorage.setItem('cardstock.entered', 'yes'))
      await page.goto('/identify/sessions')
      await page.getByRole('button', { name: 'New session' }).click()
      const names = Array.from({ length: 12 }, (_, index) => `photo-${index}`)
      await page.locator('input[type=file]').setInputFiles(names.map(scriptedFile))
      while (server.readings().length < 4) await Bun.sleep(5)
      await server.kill()
      await page.getByText('Waiting for the server').waitFor()
      const path = new URL(page.url()).pathname
      await page.close()

      await server.start()
      const again = await context.newPage()
      await again.goto(`${server.url}${path}`)
      const list = again.getByRole('region', { name: 'List of cards' })
      await list.getByRole('row').nth(names.length).waitFor()
      await again.getByRole('progressbar').waitFor({ state: 'detached' })
      const headers = { cookie: `${cookie.name}=${cookie.value}`, 'x-cardstock-page': '1' }
      const response = await fetch(`${server.url}/v1/scan-sessions/${path.split('/').at(-1)}`, {
        headers,
      })
      expect(await response.json()).toMatchObject({
        data: { photo_count: 12, item_count: 12, scans_charged: 12, open: 0 },
      })
      expect(new Set(server.readings().map(({ name }) => name)).size).toBe(12)
    } finally {
      await user.close()
      await server.close()
      close()
    }
  })

  test('captures each card in front of the camera once, and sends it', async () => {
    const cards = [900001, 900014, 900007]
    const video = join(testServer.testApp.deps.config.dataDir, 'camera.mjpeg')
    await writeCameraVideo(video, cards.map(samplePicture), { card: 3, before: 0.5, end: 60 })
    const user = await openBrowserUser(testServer.url, PHONE, {
      ownContext: true,
      cameraVideo: video,
    })
    const { page, context, inspect } = user
    await context.grantPermissions(['camera'])
    await testServer.logIn(user, 'pro')
    await page.goto('/identify/sessions')
    await page.getByRole('button', { name: 'New session' }).click()
    readInTurn(OBSERVATIONS.one)
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    await page.getByText('3 cards captured. Last: Weathercock Baron').waitFor({ timeout: 45_000 })
    // The table is empty from here on.
    await page.getByText('Show a card').waitFor()
    expect(await inspect('scan session camera')).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('3 photos read').waitFor()
    const seen = await Promise.all(photoReader.requests.map(({ photo }) => nearestOf(photo, cards)))
    expect(seen.toSorted()).toEqual(cards.toSorted())
    await user.closeClean()
  })
})

type Failure = 'INVALID_IMAGE' | 'SCAN_BALANCE_EMPTY' | 'IDENTIFY_UNAVAILABLE'

const fail = (code: Failure) => () => {
  throw new ServiceError(code, `It failed: ${code}.`, { retryAfter: 1 })
}

/** Registers an account and logs in. @returns its session cookie */
async function register(url: string) {
  const send = (path: string) =>
    fetch(`${url}/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-cardstock-page': '1' },
      body: JSON.stringify({ email: 'collector@readers.example', password: PASSWORD }),
    })
  await send('register')
  const response = await send('login')
  const [pair = ''] = response.headers.get('set-cookie')?.split(';') ?? []
  const [name = '', value = ''] = pair.split('=')
  return { name, value, url }
}

function scriptedFile(name: string) {
  const buffer = Buffer.from(scriptedPhoto({ name, ms: 20 }))
  return { name: `${name}.webp`, mimeType: 'image/webp', buffer }
}

/** Returns the card that a photo shows. */
async function nearestOf(photo: Uint8Array, cards: readonly number[]): Promise<number | undefined> {
  const shrink = (image: Sharp) =>
    image.resize(32, 32, { fit: 'fill' }).grayscale().raw().toBuffer()
  const pixels = await shrink(sharp(photo))
  const distances = await Promise.all(
    cards.map(async (card) => {
      const scene = await shrink(await renderScene(samplePicture(card)))
      return scene.reduce((sum, value, at) => sum + Math.abs(value - (pixels[at] ?? 0)), 0)
    }),
  )
  return cards[distances.indexOf(Math.min(...distances))]
}
