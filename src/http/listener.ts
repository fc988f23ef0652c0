import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Elysia } from 'elysia'
import type { Config } from '#config.ts'
import { describePortProblem } from '#rules/operations/port-problem.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorCode } from '#rules/primitives/system-errors.ts'
import type { Drain } from './endpoint/drain.ts'

/** The port of a server that listens. */
export type Listener = {
  /**
   * Answers every request that has begun, and stops listening. No connection is closed between a request and its
   * response, because clients are first asked to close their connections.
   *
   * @param noticeMs time in which each response asks its client to close the connection
   */
  close(noticeMs: number): Promise<void>
}

/** The service, and how its requests end. */
type Service = { app: Elysia; drain: Drain }

/**
 * Listens for requests.
 *
 * @throws ServiceError UNAVAILABLE if it cannot
 */
export function listen(
  service: Service,
  config: Pick<Config, 'host' | 'port' | 'sharePort'>,
): Listener {
  const { host, port, sharePort } = config
  try {
    service.app.listen({
      hostname: host,
      port,
      // Elysia's default is true unless NODE_ENV is production, and costs some 0.3 µs a request.
      development: false,
      // Elysia's default is true, with which the kernel distributes requests among all listening programs.
      reusePort: sharePort,
      idleTimeout: 30,
      maxRequestBodySize: BODY_BYTES_MAX,
    })
  } catch (error) {
    throw new ServiceError('UNAVAILABLE', describePortProblem(errorCode(error), config))
  }
  return { close: (noticeMs) => close(service, noticeMs) }
}

/**
 * Bun refuses larger bodies without an explanation, so this limit is never reached. Endpoints have their own, much
 * lower limits.
 */
const BODY_BYTES_MAX = 2 ** 40

/**
 * Bun's `stop` closes kept-alive connections that it considers idle and drops connections that it has not accepted,
 * although requests may already wait in both. Therefore it is called when no client can send a request: every client
 * was asked to close its connection, and requests of the remaining ones are held for a moment.
 */
async function close({ app, drain }: Service, noticeMs: number): Promise<void> {
  const { server } = app
  if (server === null) return
  await Bun.sleep(noticeMs)

  const release = drain.hold()
  const end = performance.now() + HOLD_MS_MAX
  for (let seen = -1; seen !== drain.arrived() && performance.now() < end; ) {
    seen = drain.arrived()
    await Bun.sleep(QUIET_MS)
  }
  // Accepts requests that have arrived since the timer.
  await nextTurn()
  const stopped = server.stop()
  release()
  await stopped
}

/** Longer than a nearby client needs for its next request, even on a busy machine. */
const QUIET_MS = 250

/** Clients that keep opening connections must not delay the stop. */
const HOLD_MS_MAX = 1_500
