/**
 * Everything that can go wrong for a caller, by name. The HTTP status of each stands in one table
 * in `http/endpoint/envelope.ts`; a code without a status does not compile.
 */
export type ErrorCode =
  | 'API_KEY_REQUIRED'
  | 'BILLING_UNAVAILABLE'
  | 'BODY_TOO_LARGE'
  | 'CROSS_ORIGIN_REJECTED'
  | 'EMAIL_TAKEN'
  | 'IDENTIFY_REGION_UNAVAILABLE'
  | 'IDENTIFY_UNAVAILABLE'
  | 'INTERNAL_ERROR'
  | 'INVALID_API_KEY'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_GAME'
  | 'INVALID_IMAGE'
  | 'INVALID_SIGNATURE'
  | 'INVALID_WEBHOOK_URL'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'OPERATOR_REQUIRED'
  | 'PAYMENT_INVALID'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_REJECTED'
  | 'PAYMENT_REQUIRED'
  | 'PAYMENT_UNAVAILABLE'
  | 'PAYMENT_VERSION_UNSUPPORTED'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SCAN_BALANCE_EMPTY'
  | 'SESSION_REQUIRED'
  | 'SYNC_OFF'
  | 'SYNC_RUNNING'
  | 'TIER_REQUIRED'
  | 'TOO_MANY_ATTEMPTS'
  | 'TOO_MANY_ITEMS'
  | 'TOO_MANY_KEYS'
  | 'TOO_MANY_WEBHOOKS'
  | 'UNAVAILABLE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_ERROR'
  | 'WEBHOOK_PAUSED'

/** A refusal that the caller can act on. Anything else that is thrown is our own bug. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Seconds after which it may go better; undefined where waiting does not help. */
  readonly retryAfter: number | undefined

  /**
   * @param code what kind of refusal this is
   * @param message one sentence that tells the caller what to do; it is sent as it stands
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    { retryAfter }: { retryAfter?: number } = {},
  ) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** The refusal of a card's id that nothing stands for. */
export function cardNotFound(id: number): ServiceError {
  return new ServiceError(
    'NOT_FOUND',
    `No card has the id ${id}. GET /v1/search finds cards by name.`,
  )
}
