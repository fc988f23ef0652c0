import { Elysia } from 'elysia'
import type { PhotoWorkerDeps } from '#deps/photo-worker-deps.ts'
import { ANSWER_DEADLINE_SECONDS } from '#rules/photos/deadlines.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import {
  createWorkerSigner,
  formatReply,
  hashBody,
  WORKER_CLOCK_MS_MAX,
  WORKER_HEADERS,
  WORKER_PATHS,
  WORKER_PROTOCOL,
  type WorkerRequestFacts,
  type WorkerResult,
} from '#rules/photos/worker-messages.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createDrain, type Drain } from './endpoint/drain.ts'
import { PAGE_MAX_BYTES, PHOTO_MAX_BYTES } from './input/photo-body.ts'
import { readRequestBody } from './input/read-body.ts'

/**
 * Creates the HTTP service of a photo worker. Only servers that know its secret can use it; anybody may ask whether
 * it is ready.
 */
export function createWorkerApp({ config, reader, log, now }: PhotoWorkerDeps): {
  app: Elysia
  drain: Drain
} {
  const app = new Elysia({ nativeStaticResponse: false, strictPath: true })
  const drain = createDrain()
  const signer = createWorkerSigner(config.appSecret)

  const state = () => {
    const { ready, ...counts } = reader.state()
    return { ready: ready && !drain.isDraining(), ...counts }
  }

  /** @throws Response that refuses the request */
  function authenticate({ url, headers }: Request): WorkerRequestFacts {
    if (headers.get(WORKER_HEADERS.protocol) !== String(WORKER_PROTOCOL)) throw refuse(400)
    const text = headers.get(WORKER_HEADERS.facts) ?? ''
    const signature = headers.get(WORKER_HEADERS.signature) ?? ''
    if (!signer.isRequestSigned(text, signature)) throw refuse(401)
    // A server has signed this text, with this protocol.
    const facts = JSON.parse(text) as WorkerRequestFacts
    const isTimely = Math.abs(now().getTime() - facts.time) <= WORKER_CLOCK_MS_MAX
    if (!isTimely || facts.path !== new URL(url).pathname) throw refuse(401)
    return facts
  }

  /** Reads the body of an authentic request. The signature covers the body's hash. */
  async function readSigned(request: Request, facts: WorkerRequestFacts): Promise<Uint8Array> {
    // The servers limit how much their clients upload at once.
    const bytesMax = facts.path === WORKER_PATHS.cut ? PAGE_MAX_BYTES : PHOTO_MAX_BYTES
    const limits = { bytesMax, reserve() {} }
    const body = await readRequestBody(request, limits, (why) => {
      throw refuse(why === 'too large' ? 413 : 400)
    })
    if (hashBody(body) !== facts.body) throw refuse(401)
    return body
  }

  async function readPhoto(request: Request, facts: WorkerRequestFacts): Promise<WorkerResult> {
    if (drain.isDraining()) return { kind: 'stopping' }
    const photo = await readSigned(request, facts)
    // Connections that are idle for 30 s are closed, but a photo may take longer.
    app.server?.timeout(request, ANSWER_DEADLINE_SECONDS)
    const { path, game_id: gameId, placement, network, payer } = facts
    // The server closes the connection when its client leaves.
    const sent = { gameId, sender: { network, payer }, clientSignal: request.signal }
    try {
      if (path === WORKER_PATHS.cut) return { kind: 'cut', cut: await reader.cut(photo, sent) }
      const card = placement === undefined ? sent : { ...sent, placement }
      return { kind: 'read', observation: await reader.read(photo, card) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { code, message, retryAfter } = error
      return {
        kind: 'refused',
        code,
        message,
        isDamaged: error instanceof DamagedPhoto,
        retryAfter,
      }
    }
  }

  /** Renders a signed reply with the state and the result of a photo. */
  function respond(request: Request, result?: WorkerResult): Response {
    const body = formatReply({ state: state(), ...(result && { result }) })
    const requestSignature = request.headers.get(WORKER_HEADERS.signature) ?? ''
    return new Response(body, {
      status: result?.kind === 'stopping' ? 503 : 200,
      headers: {
        ...PROTOCOL,
        ...(drain.isDraining() && { connection: 'close' }),
        'content-type': 'application/json',
        [WORKER_HEADERS.signature]: signer.signResponse(requestSignature, body),
      },
    })
  }

  async function handle(
    request: Request,
    run: (facts: WorkerRequestFacts) => Promise<WorkerResult> | undefined,
  ): Promise<Response> {
    try {
      await drain.waitForTurn()
      return respond(request, await run(authenticate(request)))
    } catch (error) {
      if (error instanceof Response) return error
      log.error('request failed', { error })
      return refuse(500)
    }
  }

  app.get('/readyz', () => {
    const { ready } = state()
    const body = JSON.stringify({ status: ready ? 'ready' : 'not ready' })
    return new Response(body, { status: ready ? 200 : 503, headers: PROTOCOL })
  })
  app.post(WORKER_PATHS.state, ({ request }) => handle(request, stateOnly), UNPARSED)
  for (const path of [WORKER_PATHS.read, WORKER_PATHS.cut]) {
    app.post(path, ({ request }) => handle(request, (facts) => readPhoto(request, facts)), UNPARSED)
  }
  return { app, drain }
}

const stateOnly = () => undefined

const UNPARSED = { parse: 'none' } as const

const PROTOCOL = { [WORKER_HEADERS.protocol]: String(WORKER_PROTOCOL) }

/** Refuses a request with an unsigned response, because the sender may not know the secret. */
function refuse(status: number): Response {
  return new Response(null, { status, headers: PROTOCOL })
}
