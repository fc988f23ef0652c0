import { Elysia } from 'elysia'
import { openSpending } from '#actions/spend-request.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/errors.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { openDoors } from './endpoint.ts'
import { errorBodyOf, STATUS, visibleError } from './envelope.ts'
import { headersFor, setCors } from './headers.ts'
import { openMeter } from './meter.ts'
import { openapiDocument } from './openapi.ts'
import { openRequestIds } from './request-id.ts'
import { cardRoutes } from './routes/cards.ts'
import { docsRoutes } from './routes/docs.ts'
import { gameRoutes } from './routes/games.ts'
import { healthRoutes } from './routes/health.ts'
import { metaRoutes } from './routes/meta.ts'
import { moverRoutes } from './routes/movers.ts'
import { pictureRoutes } from './routes/pictures.ts'
import { searchRoutes } from './routes/search.ts'
import { setRoutes } from './routes/sets.ts'

/** The whole HTTP surface. `close` gives unspent quota back; it is called when the server has drained. */
export function createApp(deps: Deps) {
  // The plugin's own /docs page, which loads a CDN, would be served natively, before ours.
  const app = new Elysia({ nativeStaticResponse: false })
  const meter = openMeter()
  const requestId = openRequestIds()

  app.onError(({ code, error, request }) => refusal(deps, requestId(), { code, error, request }))
  app.use(openapiDocument(packageJson.version, deps.config.publicUrl))
  docsRoutes(app)

  const spending = openSpending(deps)
  const doors = openDoors(app, deps, { meter, requestId, spending })
  gameRoutes(doors, deps)
  setRoutes(doors, deps)
  cardRoutes(doors, deps)
  searchRoutes(doors, deps)
  moverRoutes(doors, deps)
  metaRoutes(doors, deps)
  pictureRoutes(app)
  const health = healthRoutes(app, deps, meter)

  return {
    app,
    /** Tells the balancer that no new request should come. */
    drain: health.drain,
    close: () => spending.close(),
  }
}

/** What is wrong before an endpoint is reached: an unknown address, a path that cannot be decoded. */
function refusal(
  { log }: Deps,
  requestId: string,
  { code, error: thrown, request }: { code: unknown; error: unknown; request: Request },
): Response {
  const error =
    code === 'NOT_FOUND' && !(thrown instanceof ServiceError)
      ? new ServiceError(
          'NOT_FOUND',
          'There is nothing at this address. /docs lists what there is.',
        )
      : visibleError(thrown)
  if (error.code === 'INTERNAL_ERROR') {
    log.error('request failed', { request_id: requestId, error: thrown })
  }
  const headers = headersFor('unkept')
  headers.set('x-request-id', requestId)
  if (request.headers.has('origin')) setCors(headers)
  return new Response(errorBodyOf(error, undefined), { status: STATUS[error.code], headers })
}
