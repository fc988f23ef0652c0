import type { Stripe } from 'stripe'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Access to Stripe's API. The SDK is large, so it is loaded on first use. */
export type StripeApi = {
  /** Loads the SDK. */
  sdk(): Promise<Stripe>
  /** Calls the API; every error is ServiceError BILLING_UNAVAILABLE, whose `cause` is for the log. */
  call<T>(request: (stripe: Stripe) => Promise<T>): Promise<T>
  /** Like `call`; undefined if the object does not exist. */
  find<T>(request: (stripe: Stripe) => Promise<T>): Promise<T | undefined>
}

export function openStripeApi(
  { secretKey, apiUrl }: { secretKey: string; apiUrl: string },
  timeoutMs: number,
): StripeApi {
  const { protocol, hostname, port } = new URL(apiUrl)
  const loaded = createLazy(async () => {
    const { Stripe } = await import('stripe')
    return new Stripe(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      // The SDK uses port 443 unless a port is given.
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: timeoutMs,
      maxNetworkRetries: 2,
      telemetry: false,
    })
  })

  async function call<T>(request: (stripe: Stripe) => Promise<T>): Promise<T> {
    const stripe = await loaded.get()
    try {
      return await request(stripe)
    } catch (cause) {
      throw billingUnavailable(cause)
    }
  }

  return {
    sdk: loaded.get,
    call,
    async find(request) {
      try {
        return await call(request)
      } catch (error) {
        if (stripeErrorDetails(error).code === 'resource_missing') return undefined
        throw error
      }
    },
  }
}

/** Returns the details of a Stripe error; empty for other errors. */
export function stripeErrorDetails(error: unknown): Partial<Record<Detail, string>> {
  const cause = error instanceof ServiceError ? error.cause : error
  if (!(cause instanceof Error)) return {}
  const detail = (name: Detail) => {
    const value: unknown = Reflect.get(cause, name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  return { ...detail('code'), ...detail('type'), ...detail('param') }
}

type Detail = 'code' | 'type' | 'param'

/** Creates the error for a failed call. */
export function billingUnavailable(cause: unknown): ServiceError {
  const message = 'The payment provider is unavailable. Try again in half a minute.'
  return new ServiceError('BILLING_UNAVAILABLE', message, { retryAfter: 30, cause })
}

/** A value that is created on first use, and again after a failure or a reset. */
export type Lazy<T> = { get(): Promise<T>; forget(): void }

export function createLazy<T>(create: () => Promise<T>): Lazy<T> {
  let value: Promise<T> | undefined
  return {
    get() {
      if (value !== undefined) return value
      const created = create()
      created.catch(() => {
        if (value === created) value = undefined
      })
      value = created
      return created
    },
    forget() {
      value = undefined
    },
  }
}
