// Browser test of the operator's list of references.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { formatFingerprint } from '#rules/photos/picture-index/learned-references.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import {
  describeInBrowser,
  expectVisible,
  openBrowserUser,
  type Page,
  SCREENS,
} from '../../support/browser.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'
import type { TestUser } from '../../support/test-app.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

describeInBrowser('the references', () => {
  let server: TestServer

  beforeAll(async () => {
    const picture = { vector: scriptedVector(1), hash: new Uint8Array(128) }
    const fingerprint = formatFingerprint(embedderVersion(), picture)
    const reader = fakeReader(() => ({ ...OBSERVATION, fingerprint }))
    server = await startTestServer({ reader })
    await server.testApp.makeOperator('pro')
  })
  afterAll(() => server.close())

  /** Sends a photo, and names its card. */
  async function name(as: TestUser, card_id: number): Promise<void> {
    const { client } = server.testApp
    const headers = { 'content-type': 'image/jpeg' }
    const sent = { as, body: PHOTO.jpeg, headers }
    const { body } = await client.request<{ id: string }>('POST', '/v1/identify', sent)
    await client.post(`/v1/identify/${body.data.id}/feedback`, { card_id }, { as })
  }

  /** Names two cards as one account each, and a third as both. */
  async function nameCards(): Promise<void> {
    await name('free', 900401)
    await name('free', 900121)
    await name('pro', 900402)
  }

  test.each(SCREENS)('are listed, restricted, exported and removed: $name', async (screen) => {
    const user = await openBrowserUser(server.url, screen)
    const { page, inspect, closeClean } = user
    await server.logIn(user, 'pro')
    await page.goto('/operator')
    await page.getByRole('link', { name: 'References' }).click()
    await page.getByRole('heading', { name: 'No references yet' }).waitFor()
    expect(await page.getByRole('button', { name: 'Export' }).isDisabled()).toBe(true)
    expect(await inspect('references empty')).toEqual([])

    await nameCards()
    await page.reload()
    await page.getByText('3 references').waitFor()
    const rowOf = (card: string) => page.getByRole('row').filter({ hasText: card })
    const refit = rowOf('T.S.V. Marigold, Refit')
    await refit.waitFor()
    expect(await inspect('references')).toEqual([])
    expect(await page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThan(1)
    // Names by operators count at once, those of others after a second account.
    await expectVisible(refit.getByText('Accepted').filter({ visible: true }))
    const unused = page.getByText('Not used').filter({ visible: true })
    expect(await unused.count()).toBe(2)

    await page.getByLabel('Card', { exact: true }).fill('marigold refit')
    await page.getByRole('listbox', { name: 'Cards' }).getByRole('option').first().click()
    await page.getByText('1 reference').waitFor()
    await page.getByRole('link', { name: 'All cards' }).click()
    await page.getByText('3 references').waitFor()

    const exported = (await exportReferences(page)).map((one) => one.card_id)
    expect(exported.toSorted()).toEqual([900121, 900401, 900402])

    await refit.getByRole('button', { name: /^Remove the reference/ }).click()
    const one = page.getByRole('dialog', { name: /^Remove this reference of T.S.V. Marigold/ })
    await one.waitFor()
    expect(await inspect('references remove')).toEqual([])
    await one.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('2 references').waitFor()

    await page
      .getByRole('link', { name: 'free@guests.example' })
      .filter({ visible: true })
      .first()
      .click()
    await page.getByRole('button', { name: 'Remove all of this account' }).waitFor()
    expect(await inspect('references account')).toEqual([])
    await page.getByRole('button', { name: 'Remove all of this account' }).click()
    await page.getByRole('button', { name: 'Remove all', exact: true }).click()
    await page.getByRole('heading', { name: 'No such references' }).waitFor()
    expect(await inspect('references none')).toEqual([])
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByRole('heading', { name: 'No references yet' }).waitFor()
    await closeClean()
  })

  test('are shown in pages, while they load, and with the reason if they cannot be read', async () => {
    const user = await openBrowserUser(server.url)
    const { page, close, inspect } = user
    await server.logIn(user, 'pro')
    const release = Promise.withResolvers<void>()
    const listed = referencesOf(120)
    let isFailing = true
    await page.route('**/v1/references*', async (route) => {
      await release.promise
      const error = { code: 'INTERNAL_ERROR', message: 'The server failed.' }
      if (isFailing) await route.fulfill({ status: 500, json: { error } })
      else await route.fulfill({ json: pageOf(listed, new URL(route.request().url())) })
    })
    await page.goto('/operator/references')
    await page.getByRole('heading', { name: 'References' }).waitFor()
    expect(await inspect('references loading')).toEqual([])
    release.resolve()
    await page.getByRole('alert').waitFor()
    expect(await inspect('references failed')).toEqual([])

    isFailing = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('120 references').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await expectVisible(page.getByText('Page 2 of 3'))
    await expectVisible(page.getByText('card 51', { exact: true }))
    expect(await inspect('references pages')).toEqual([])
    await close()
  })

  test('are all exported once, although some are added and removed at the same time', async () => {
    const user = await openBrowserUser(server.url)
    const { page, closeClean } = user
    const [added, ...listed] = referencesOf(451)
    const changes = [() => added && listed.unshift(added), () => listed.splice(0, 120)]
    await page.route('**/v1/references*', async (route) => {
      const url = new URL(route.request().url())
      const json = pageOf(listed, url)
      if (url.searchParams.get('per_page') === '100') changes.shift()?.()
      await route.fulfill({ json })
    })
    await server.logIn(user, 'pro')
    await page.goto('/operator/references')
    await page.getByText('450 references').waitFor()
    const exported = (await exportReferences(page)).map((one) => one.id)
    expect(new Set(exported).size).toBe(exported.length)
    expect(exported).toEqual(expect.arrayContaining(listed.map(({ id }) => id)))
    await closeClean()
  })
})

/** Returns references of cards that have left the catalog, newest first. */
function referencesOf(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    id: `reference-${at + 1}`,
    card_id: at + 1,
    name: null,
    number: null,
    set_name: null,
    image_url: null,
    account_id: 7,
    email: 'somebody-with-a-long-address@cards.example',
    is_accepted: at % 2 === 0,
    fingerprint: '',
    created_at: '2026-11-15T21:30:00.000Z',
  }))
}

/** Returns the page of references that a URL requests. */
function pageOf(references: readonly object[], { searchParams }: URL): object {
  const page = Number(searchParams.get('page') ?? 1)
  const per_page = Number(searchParams.get('per_page') ?? 50)
  const total = references.length
  const data = references.slice((page - 1) * per_page, page * per_page)
  return { data, meta: { total, page, per_page, has_more: page * per_page < total } }
}

/** Exports the references, one as JSON in each line. */
async function exportReferences(page: Page): Promise<Record<string, unknown>[]> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const text = await Bun.file(await (await download).path()).text()
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
