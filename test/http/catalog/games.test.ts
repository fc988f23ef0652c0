import { describe, expect, test } from 'bun:test'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const testApp = await createTestApp()

describe('GET /v1/games', () => {
  test('returns every game', async () => {
    const { body } = await testApp.client.get<Row[]>('/v1/games')
    expect(body.data.map((game) => game.slug).sort()).toEqual([
      'perihelion-drift',
      'vellum-and-thorn',
      'wickerwild',
    ])
  })

  test('counts equal those of its sets, sealed products included', async () => {
    const { body } = await testApp.client.get<Row[]>('/v1/games')
    for (const game of body.data) {
      const sets = await testApp.client.get<{ card_count: number }[]>(
        `/v1/games/${game.slug}/sets?per_page=100`,
      )
      expect(sets.body.meta.total).toBe(Number(game.set_count))
      const cards = sets.body.data.reduce((sum, set) => sum + set.card_count, 0)
      expect(cards).toBe(Number(game.card_count))
    }
  })

  test('sorts by priority, then by size, descending', async () => {
    const { body } =
      await testApp.client.get<{ priority: number; card_count: number }[]>('/v1/games')
    const inOrder = body.data.toSorted(
      (a, b) => b.priority - a.priority || b.card_count - a.card_count,
    )
    expect(body.data).toEqual(inOrder)
  })
})

describe('GET /v1/games/{slug}', () => {
  test('returns the same game by slug and by marketplace id', async () => {
    const bySlug = await testApp.client.get('/v1/games/vellum-and-thorn')
    const byId = await testApp.client.get('/v1/games/9002')
    expect(bySlug.body.data).toMatchObject({ id: 9002, slug: 'vellum-and-thorn' })
    expect(byId.body).toEqual(bySlug.body)
  })

  test('its picture is that of its most expensive card, with an absolute URL', async () => {
    const { body } = await testApp.client.get('/v1/games/wickerwild')
    // Jellantern Queen (High Tide).
    expect(body.data.image_url).toBe(`${PUBLIC_URL}/pictures/900121.webp`)
  })

  test('a game that was never refreshed has null as its time', async () => {
    const own = await createTestApp()
    own.catalogDb.exec("INSERT INTO games (id, name, slug, priority) VALUES (5, 'New', 'new', 3)")
    const { status, body } = await own.client.get('/v1/games/new')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ last_synced_at: null, image_url: null, set_count: 0 })
  })

  test('finds a slug in any case, as every filter by game does', async () => {
    const plain = await testApp.client.get('/v1/games/wickerwild')
    expect((await testApp.client.get('/v1/games/WickerWild')).text).toBe(plain.text)
    for (const path of [
      '/v1/sets?game=',
      '/v1/search?q=cindle&game=',
      '/v1/prices/top-movers?game=',
    ]) {
      const found = await testApp.client.get(`${path}WICKERWILD`, { as: 'business' })
      const { body } = await testApp.client.get(`${path}wickerwild`, { as: 'business' })
      expect([found.status, found.body.data]).toEqual([200, body.data])
    }
  })

  test.each(['1', 'wickerwild%20', '%25', '__proto__', '9001.0', '-9001'])(
    'returns 404 for %s',
    async (slug) => {
      expectRefusal(await testApp.client.get(`/v1/games/${slug}`), 404, 'NOT_FOUND')
    },
  )
})

describe('GET /v1/games/{slug}/sets', () => {
  test('returns the sets of this game only, newest first', async () => {
    const { body } = await testApp.client.get<Row[]>('/v1/games/wickerwild/sets')
    expect(body.data.map((set) => [set.id, set.release_date, set.game_slug])).toEqual([
      [90012, '2026-10-23', 'wickerwild'],
      [90011, '2024-10-25', 'wickerwild'],
    ])
  })

  test('is equal by the id of the game, and equal to GET /v1/sets', async () => {
    const bySlug = await testApp.client.get<Row[]>('/v1/games/wickerwild/sets')
    const byId = await testApp.client.get<Row[]>('/v1/games/9001/sets')
    const filtered = await testApp.client.get<Row[]>('/v1/sets?game=wickerwild', { as: 'free' })
    expect(byId.body).toEqual(bySlug.body)
    expect(filtered.body.data).toEqual(bySlug.body.data)
    expect(filtered.body.meta).toEqual(bySlug.body.meta)
  })
})
