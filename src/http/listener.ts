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
      // Elysia's default is true: then the kernel splits requests among all programs that listen.
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
 * Bun refuses larger bodies without an explanation, so this is out of reach. Endpoints have their own, much
 * lower limits.
 */
const BODY_BYTES_MAX = 2 ** 40

/**
 * Bun's `stop` closes kept-alive connections that it considers idle and drops connections that it has not accepted,
 * although requests may already wait in both. So it is called while no client can send a request: every client has
 * been asked to close its connection, and requests of the remaining ones are held back for a moment.
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

/** Longer than a client nearby needs for its next request, also while its machine is busy. */
const QUIET_MS = 250

/** Clients that open connections all the time must not delay the stop. */
const HOLD_MS_MAX = 1_500
