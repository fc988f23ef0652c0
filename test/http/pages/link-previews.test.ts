// Heads of pages, from which other sites create link previews. Their texts come from a third party.
import { describe, expect, test } from 'bun:test'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/test-app.ts'

let testApp: TestApp

async function openPage(path: string): Promise<Map<string, string>> {
  const { status, text } = await testApp.client.get(path)
  expect(status).toBe(200)
  const head = text.slice(0, text.indexOf('</head>'))
  const tags = head.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)">/g)
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(head) ?? []
  return new Map([
    ['title', title],
    ...[...tags].map(([, name = '', text = '']) => [name, text] as const),
  ])
}

describe('the head of', () => {
  test.each([
    ['/cards/900003', 'Cindlemane Regent · 003/024 · Lantern Season', '/pictures/cards/900003'],
    ['/sets/90011', 'Lantern Season', '/pictures/sets/90011'],
    ['/games/wickerwild', 'Wickerwild Creature Duels', '/pictures/games/wickerwild'],
  ])('%s has its name, a description and an image', async (path, title, image) => {
    testApp = await createTestApp()
    const head = await openPage(path)
    expect(head.get('title')).toBe(`${title} – Cardstock`)
    expect(head.get('og:title')).toBe(title)
    expect(head.get('og:url')).toBe(PUBLIC_URL + path)
    expect(head.get('og:description')).toMatch(/^Prices, price history and printings of .{10}/)
    expect(head.get('description')).toBe(head.get('og:description'))
    expect(head.get('og:image')).toBe(PUBLIC_URL + image)
    expect((await testApp.client.get(image)).status).toBe(200)
  })

  test('every other page has the name of the service, and its icon', async () => {
    testApp = await createTestApp()
    for (const path of ['/', '/search?q=x', '/cards/1', '/cards/none', '/sets/1', '/games/nope']) {
      const head = await openPage(path)
      expect([path, head.get('title'), head.get('og:title')]).toEqual([
        path,
        'Cardstock',
        'Cardstock',
      ])
      expect(head.get('og:image')).toBe(`${PUBLIC_URL}/icons/icon-512.png`)
    }
  })

  test('a card has no price: pages are sent to everyone, outside of all quotas', async () => {
    testApp = await createTestApp()
    const { text } = await testApp.client.get('/cards/900003')
    expect(text).not.toMatch(/\$\d|\d\.\d\d/)
  })

  test('a card has no preview on a server without visitors', async () => {
    testApp = await createTestApp({ env: { VISITOR_TIER: 'off' } })
    for (const path of ['/cards/900003', '/sets/90011', '/games/wickerwild']) {
      expect((await openPage(path)).get('title')).toBe('Cardstock')
    }
  })

  test('a card is that of other pages while the catalog cannot be read', async () => {
    testApp = await createTestApp()
    testApp.deps.catalog.pricedCards.listNamed = () => {
      throw new Error('the disk is gone')
    }
    expect((await openPage('/cards/900003')).get('title')).toBe('Cardstock')
  })

  test('a card changes with the catalog', async () => {
    testApp = await createTestApp({ onDisk: true })
    await openPage('/cards/900003')
    rename('Cindlemane Usurper')
    expect((await openPage('/cards/900003')).get('title')).toStartWith('Cindlemane Usurper')
  })

  test.each([
    `</title><script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `' onload='alert(1)`,
    `$& $' $1 $$ <!--`,
    `&lt;b&gt; & Sons`,
  ])('a card named %p contains the name as text', async (name) => {
    testApp = await createTestApp({ onDisk: true })
    const plain = await testApp.client.get('/cards/900003')
    rename(name)
    const { text } = await testApp.client.get('/cards/900003')
    const elements = (page: string) => page.match(/<[a-z!/][^>]*/gi)?.length
    expect(elements(text)).toBe(elements(plain.text))
    const [, title = ''] = /<title>([^<]*)<\/title>/.exec(text) ?? []
    const shown = title.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    expect(shown).toStartWith(`${name} · 003/024`)
  })
})

function rename(name: string): void {
  testApp.publish(`UPDATE cards SET name = '${name.replaceAll("'", "''")}' WHERE id = 900003`)
  testApp.deps.catalog.publication.refresh()
}
