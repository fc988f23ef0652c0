/**
 * Error codes of the API. One table in `http/endpoint/error-codes.ts` has the status and the remedy of each;
 * a code without them does not compile.
 */
export type ErrorCode =
  | 'API_KEY_REQUIRED'
  | 'BILLING_UNAVAILABLE'
  | 'BODY_TOO_LARGE'
  | 'CHANNEL_UNAVAILABLE'
  | 'COLLECTION_FULL'
  | 'CROSS_ORIGIN_REJECTED'
  | 'EMAIL_TAKEN'
  | 'EMAIL_UNCONFIRMED'
  | 'IDENTIFY_REGION_UNAVAILABLE'
  | 'IDENTIFY_UNAVAILABLE'
  | 'IDENTITY_TAKEN'
  | 'INTERNAL_ERROR'
  | 'INVALID_API_KEY'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_GAME'
  | 'INVALID_IMAGE'
  | 'INVALID_SIGNATURE'
  | 'INVALID_WEBHOOK_URL'
  | 'INVITATION_REQUIRED'
  | 'LINK_INVALID'
  | 'LOGIN_FAILED'
  | 'LOGIN_PROVIDER_UNAVAILABLE'
  | 'METHOD_NOT_ALLOWED'
  | 'MIRROR_UNUSABLE'
  | 'NOT_FOUND'
  | 'OPERATOR_REQUIRED'
  | 'PASSWORD_REQUIRED'
  | 'PAYMENT_INVALID'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_REJECTED'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_UNAVAILABLE'
  | 'PAYMENT_VERSION_UNSUPPORTED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'RECENT_LOGIN_REQUIRED'
  | 'REGISTRATION_CLOSED'
  | 'REVISION_CONFLICT'
  | 'SCAN_BALANCE_EMPTY'
  | 'SCAN_SESSION_FULL'
  | 'SESSION_REQUIRED'
  | 'SETTING_FIXED'
  | 'SETUP_DONE'
  | 'SETUP_TOKEN_INVALID'
  | 'SYNC_OFF'
  | 'SYNC_RUNNING'
  | 'TIER_REQUIRED'
  | 'TOO_MANY_ALERTS'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_MANY_CHANNELS'
  | 'TOO_MANY_COLLECTIONS'
  | 'TOO_MANY_ITEMS'
  | 'TOO_MANY_KEYS'
  | 'TOO_MANY_SCAN_SESSIONS'
  | 'TOO_MANY_WEBHOOKS'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_ERROR'
  | 'WEBHOOK_PAUSED'

/** An error that the caller can act on. Any other exception is a bug. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Seconds after which a retry may succeed; undefined if waiting does not help. */
  readonly retryAfter: number | undefined
  /** Facts beside the error, as in `meta` of a success. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** State that the request would have overwritten. */
  readonly current: object | undefined

  /** @param message states the problem, then the remedy; sent to the caller as it is */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options: {
      retryAfter?: number
      cause?: unknown
      meta?: Record<string, unknown>
      current?: object
    } = {},
  ) {
    super(message, options)
    this.retryAfter = options.retryAfter
    this.meta = options.meta
    this.current = options.current
  }
}

export function cardNotFound(id: number): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No card has the id ${id}. Use GET /v1/search to find cards by name.`,
  )
}
