import type { Stripe } from 'stripe'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Access to Stripe's API. The SDK is large, and loaded on first use. */
export type StripeApi = {
  sdk(): Promise<Stripe>
  /**
   * Calls the API.
   *
   * @throws ServiceError BILLING_UNAVAILABLE for every error; `cause` is for the log
   */
  call<Answer>(question: (stripe: Stripe) => Promise<Answer>): Promise<Answer>
  /** Like `call`; undefined if the object does not exist. */
  find<Answer>(question: (stripe: Stripe) => Promise<Answer>): Promise<Answer | undefined>
}

export type StripeAccess = { secretKey: string; apiUrl: string; timeoutMs: number }

export function openStripeApi({ secretKey, apiUrl, timeoutMs }: StripeAccess): StripeApi {
  const { protocol, hostname, port } = new URL(apiUrl)
  const loaded = createLazy(async () => {
    const { Stripe } = await import('stripe')
    return new Stripe(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      // The SDK uses port 443 unless one is given.
      port: port || (protocol === 'http:' ? 80 : 443),
      timeout: timeoutMs,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    })
  })

  async function ask<Answer>(question: (stripe: Stripe) => Promise<Answer>): Promise<Answer> {
    const stripe = await loaded.get()
    try {
      return await question(stripe)
    } catch (cause) {
      throw billingUnavailable(cause)
    }
  }

  return {
    sdk: loaded.get,
    call: ask,
    async find(question) {
      try {
        return await ask(question)
      } catch (error) {
        if (stripeErrorDetails(error).code === 'resource_missing') return undefined
        throw error
      }
    },
  }
}

const RETRIES = 2

/** Returns the details of a Stripe error; empty for other errors. */
export function stripeErrorDetails(error: unknown): {
  code?: string
  type?: string
  param?: string
} {
  const cause = error instanceof ServiceError ? error.cause : error
  if (!(cause instanceof Error)) return {}
  const word = (name: 'code' | 'type' | 'param') => {
    const value: unknown = Reflect.get(cause, name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  return { ...word('code'), ...word('type'), ...word('param') }
}

/** Creates the error for a failed call. */
export function billingUnavailable(cause: unknown): ServiceError {
  const refusal = new ServiceError(
    'BILLING_UNAVAILABLE',
    'The payment provider cannot be asked at the moment. Try again in half a minute.',
    { retryAfter: RETRY_AFTER_S },
  )
  refusal.cause = cause
  return refusal
}

const RETRY_AFTER_S = 30

/** Creates a value on first use, and again after it failed or was forgotten. */
export function createLazy<Thing>(make: () => Promise<Thing>) {
  let made: Promise<Thing> | undefined
  return {
    get(): Promise<Thing> {
      if (made !== undefined) return made
      const making = make()
      making.catch(() => {
        if (made === making) made = undefined
      })
      made = making
      return making
    },
    forget(): void {
      made = undefined
    },
  }
}
