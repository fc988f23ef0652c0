import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { openLogos } from '#store/files/logos.ts'
import { openCatalogOn } from '#store/open-catalog.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of the logo', 'latin1')
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPrest of the icon', 'latin1')

/** Starts a service whose data folder contains these files in `logos/`. */
async function start(files: Record<string, Buffer>) {
  const app = await createTestApp({ onDisk: true })
  const folder = join(app.deps.config.dataDir, 'logos')
  mkdirSync(join(folder, 'sets'), { recursive: true })
  const put = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes)
  for (const [name, bytes] of Object.entries(files)) put(name, bytes)
  app.deps.catalog.logos.refresh()
  return { app, folder, put }
}

const request = (app: TestApp, path: string, headers: Record<string, string> = {}) =>
  app.app.handle(new Request(`http://localhost${path}`, { headers }))

test('games and sets have the logos of the operator, which are served', async () => {
  const { app } = await start({ 'wickerwild.png': PNG, 'sets/90011.webp': WEBP })
  const game = (await app.client.get('/v1/games/wickerwild')).body.data
  expect(game.logo_url).toStartWith(`${PUBLIC_URL}/pictures/logos/wickerwild.png?v=`)
  const games = (await app.client.get<Row[]>('/v1/games')).body.data
  expect(games.map(({ logo_url }) => logo_url).filter((url) => url !== null)).toEqual([
    String(game.logo_url),
  ])
  const set = (await app.client.get('/v1/sets/90011', { as: 'free' })).body.data
  expect(set.set_icon_url).toStartWith(`${PUBLIC_URL}/pictures/logos/sets/90011.webp?v=`)

  for (const [url, type, bytes] of [
    [game.logo_url, 'image/png', PNG],
    [set.set_icon_url, 'image/webp', WEBP],
  ] as const) {
    const path = String(url).slice(PUBLIC_URL.length)
    const sent = await request(app, path)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, type])
    expect(sent.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(Buffer.from(await sent.bytes()).equals(bytes)).toBe(true)
    const again = await request(app, path, { 'if-none-match': sent.headers.get('etag') ?? '' })
    expect([again.status, (await again.bytes()).length]).toEqual([304, 0])
  }
})

test('a logo that is added, replaced or removed changes the ETag of lists', async () => {
  const { app, folder, put } = await start({})
  const { logos } = app.deps.catalog
  const get = async () => {
    logos.refresh()
    const { headers, body } = await app.client.get<Row[]>('/v1/games/wickerwild')
    return { tag: headers.get('etag'), url: (body.data as unknown as Row).logo_url }
  }
  const before = await get()
  put('wickerwild.png', PNG)
  const added = await get()
  put('wickerwild.png', Buffer.concat([PNG, PNG]))
  const replaced = await get()
  rmSync(join(folder, 'wickerwild.png'))
  expect(await get()).toEqual(before)
  expect(before.url).toBeNull()
  expect(new Set([before.tag, added.tag, replaced.tag]).size).toBe(3)
  expect(new Set([before.url, added.url, replaced.url]).size).toBe(3)
})

test('a folder is read again after a while, without a publication', async () => {
  const { app, put } = await start({})
  const { catalogDb, deps } = app
  const logos = openLogos(deps.config.dataDir, 0)
  const catalog = openCatalogOn(catalogDb, createPictureUrl(PUBLIC_URL), { logos })
  const before = catalog.publication.getCurrent().tag
  put('wickerwild.webp', WEBP)
  expect(catalog.publication.getCurrent().tag).not.toBe(before)
  expect(catalog.games.getBySlugOrId('wickerwild')?.logo_url).toContain('wickerwild.webp')
  put('wickerwild.png', PNG)
  catalog.publication.getCurrent()
  expect(catalog.games.getBySlugOrId('wickerwild')?.logo_url).toContain('wickerwild.png')
})

test('files that are no images, too large, or links are neither listed nor served', async () => {
  const { app, folder } = await start({
    'wickerwild.png': Buffer.from('<svg onload="alert(1)">'),
    'perihelion-drift.webp': Buffer.alloc(1_048_577, WEBP),
    'vellum-and-thorn.svg': PNG,
    'sets/90011.txt': PNG,
  })
  symlinkSync(join(app.deps.config.dataDir, 'ledger.db'), join(folder, 'sets/90012.png'))
  app.deps.catalog.logos.refresh()
  const { data } = (await app.client.get<Row[]>('/v1/games')).body
  expect(data.filter(({ logo_url }) => logo_url !== null)).toEqual([])
  for (const file of [
    'wickerwild.png',
    'perihelion-drift.webp',
    'vellum-and-thorn.svg',
    'sets/90011.txt',
    'sets/90012.png',
    'sets',
    '..%2fledger.db',
    'sets/..%2f..%2fledger.db',
    '%2e%2e/%2e%2e/ledger.db',
    'missing.png',
  ]) {
    expect([file, (await request(app, `/pictures/logos/${file}`)).status]).toEqual([file, 404])
  }
})
