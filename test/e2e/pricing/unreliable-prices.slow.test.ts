// Browser tests of the mark beside prices of low confidence, and of the part of a total that they are.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeInBrowser, openBrowserUser, type Page } from '../../support/browser.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

// The only card of the sample whose price is of low confidence, for $59.47, and its set.
const CARD = 'Overdue'
const CARD_PAGE = '/cards/900213'
const SET = '/sets/90021'

describeInBrowser('a price of low confidence', () => {
  let testServer: TestServer
  beforeAll(async () => {
    testServer = await startTestServer()
  })
  afterAll(() => testServer.close())

  /** Returns the texts of the marked places among others, once any is marked. */
  async function marked(page: Page, places: string): Promise<string[]> {
    const found = page.locator(places).filter({ has: page.locator('.unreliable') })
    await found.first().waitFor()
    return found.allInnerTexts()
  }

  test.each([
    ['a tile of a set', SET, '.tiles .tile'],
    ['a row of the table of a set', `${SET}?view=table`, '.set-table tbody tr'],
    ['a result of a search', '/search?q=overdue', '.results .tile'],
    ['a printing of its card', CARD_PAGE, '.printings tbody tr'],
  ])('is marked in %s, and no other is', async (_, url, places) => {
    const { page, closeClean, inspect } = await openBrowserUser(testServer.url)
    await page.goto(url)
    const texts = await marked(page, places)
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('$59.47')
    expect(texts[0]).toContain('unreliable')
    expect(await inspect('unreliable price')).toEqual([])
    await closeClean()
  })

  test('is marked among suggestions', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(SET)
    await page.getByRole('combobox').first().fill(CARD)
    expect(await marked(page, '.suggestion')).toEqual([expect.stringContaining('$59.47')])
    await closeClean()
  })

  test('is stated beside the value of its set', async () => {
    const { page, closeClean } = await openBrowserUser(testServer.url)
    await page.goto(SET)
    await page.getByText('$59.47 of it at unreliable prices').waitFor()
    await page.goto('/sets/90011')
    await page.getByText('for one of each card').waitFor()
    expect(await page.getByText('unreliable').count()).toBe(0)
    await closeClean()
  })

  test('is marked in a collection, and stated beside its value', async () => {
    const user = await openBrowserUser(testServer.url)
    await testServer.logIn(user, 'pro')
    const { client } = testServer.testApp
    const { body } = await client.post<{ id: string }>(
      '/v1/collections',
      { name: 'Old cards' },
      { as: 'pro' },
    )
    const items = [{ card_id: 900213 }, { card_id: 900401 }]
    await client.post(`/v1/collections/${body.data.id}/items`, { items }, { as: 'pro' })
    await user.page.goto(`/collection/${body.data.id}`)
    const texts = await marked(user.page, '.items-table tbody tr')
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain(CARD)
    await user.page.getByText('$59.47 of the value is at unreliable prices (1 item).').waitFor()
    expect(await user.inspect('unreliable price in a collection')).toEqual([])
    await user.closeClean()
  })
})
