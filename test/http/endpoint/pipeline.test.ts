import { describe, expect, test } from 'bun:test'
import { createServer } from '#http/server.ts'
import { createTestApp } from '../../support/test-app.ts'

describe('the pipeline', () => {
  test('is awaited by Elysia for no endpoint, because that costs each request another turn', async () => {
    const { app } = await createTestApp()
    const endpoints = app.routes.filter(
      ({ method, path }) => path.startsWith('/v1/') && ['GET', 'POST'].includes(method),
    )
    const served = endpoints.filter(({ handler }) => String(handler).includes('[native code]'))
    expect(served.length).toBeGreaterThan(90)
    const awaited = served.filter(({ compile }) => compile().constructor.name === 'AsyncFunction')
    expect(awaited.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  test('answers in JSON if the page of a failure fails', async () => {
    const { deps, log } = await createTestApp()
    const { app, pipeline } = createServer(deps)
    const fail = () => Promise.reject(new Error('broken'))
    pipeline.mountPage('/broken', fail, { renderFailure: fail })
    const response = await app.handle(new Request('http://localhost/broken'))
    expect(response.status).toBe(500)
    expect(response.headers.get('x-request-id')).toBeString()
    expect(await response.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } })
    expect(log).toContainEqual(expect.objectContaining({ event: 'request failed' }))
  })
})
