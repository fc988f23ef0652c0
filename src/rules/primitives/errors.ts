import { type ErrorMeaning, PHOTO_ERRORS } from './photo-errors.ts'

/** Status, cause and remedy of each error. */
export const ERRORS = {
  ...PHOTO_ERRORS,
  API_KEY_REQUIRED: {
    status: 401,
    cause: 'The request has no API key',
    remedy: 'Send the key in the header `X-API-Key` or as `Authorization: Bearer`, not in the URL',
  },
  BODY_TOO_LARGE: {
    status: 413,
    cause: 'The request body exceeds the limit of the endpoint',
    remedy: 'Send less, or split the request',
  },
  CHANNEL_UNAVAILABLE: {
    status: 409,
    cause: 'The server sends no mail, or the mail address is not confirmed',
    remedy: 'Open the link in the mail, or ask the operator to set `SMTP_URL`',
  },
  COLLECTION_FULL: {
    status: 409,
    cause: 'The collection has as many items as the tier allows',
    remedy: 'Delete some, or upgrade',
  },
  CROSS_ORIGIN_REJECTED: {
    status: 403,
    cause: 'A page of another origin used a session',
    remedy: 'Use an API key, or ask the operator to add the origin to `CORS_ORIGINS`',
  },
  EMAIL_TAKEN: {
    status: 409,
    cause: 'An account with this e-mail address, or one that looks like it, exists',
    remedy: 'Log in, or use another address',
  },
  EMAIL_UNCONFIRMED: {
    status: 403,
    cause:
      'The e-mail address of the account is not confirmed, and the operator or the link to a login provider requires it',
    remedy: 'Open the link in the mail, or request another one',
  },
  FORMAT_UNAVAILABLE: {
    status: 409,
    cause: 'The file would be empty: the app of the format has none of the games',
    remedy: 'Use `full` or `tcgplayer`',
  },
  IDENTITY_TAKEN: {
    status: 409,
    cause: 'The login is linked to another account, or the account to another login',
    remedy: 'Unlink the other one first',
  },
  ID_TAKEN: {
    status: 409,
    cause: 'The `id` that the request chose belongs to a collection or an item with other members',
    remedy: 'Choose another `id`',
  },
  INTERNAL_ERROR: {
    status: 500,
    cause: 'A bug in the server; the request is refunded',
    remedy: 'Report `X-Request-Id` to the operator',
  },
  INVALID_API_KEY: {
    status: 401,
    cause: 'The key is misspelled, revoked or from another server',
    remedy: 'Create a new key; retrying does not help',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    cause: 'Wrong e-mail address or password',
    remedy: 'Check both. The operator can reset the password',
  },
  INVALID_GAME: {
    status: 400,
    cause: 'No game has this slug',
    remedy: 'Use a slug from `GET /v1/games`',
  },
  INVALID_WEBHOOK_URL: {
    status: 400,
    cause: 'The webhook URL is malformed or its address is not allowed',
    remedy: 'Use a public `https://` URL',
  },
  INVITATION_REQUIRED: {
    status: 403,
    cause:
      'Registration requires an invitation; the code is missing, unknown, used, expired, revoked or for another e-mail address',
    remedy: 'Ask the operator for an invitation',
  },
  LINK_INVALID: {
    status: 404,
    cause: 'The link of a mail is unknown, used, replaced by newer ones, or expired',
    remedy: 'Request another mail',
  },
  LOGIN_FAILED: {
    status: 400,
    cause:
      'The login with the provider was canceled or has expired, or the answer of the provider is not valid',
    remedy: 'Start again',
  },
  LOGIN_PROVIDER_UNAVAILABLE: {
    status: 503,
    cause: 'The login provider does not respond, or reports another URL than `OIDC_ISSUER`',
    remedy: 'Log in with a password, or retry after `Retry-After`',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    cause: 'The endpoint does not support this method',
    remedy: 'Use a method from the `Allow` header',
  },
  METRICS_TOKEN_INVALID: {
    status: 401,
    cause: 'The metrics of the server require a token, and the request has another one or none',
    remedy: 'Send `METRICS_TOKEN` of the server as `Authorization: Bearer`',
  },
  MIRROR_UNUSABLE: {
    status: 409,
    cause: 'The mirror cannot be reached, or serves something else',
    remedy: 'Check the address; the message has the reason',
  },
  NOT_FOUND: {
    status: 404,
    cause: 'The URL, card, set, account object or file does not exist',
    remedy: 'Check the id; the message names where to look',
  },
  OPERATOR_REQUIRED: {
    status: 403,
    cause: 'The account is not an operator',
    remedy: 'Run `bun run admin account operator --email E` on the server',
  },
  PASSWORD_REQUIRED: {
    status: 409,
    cause: 'The account has no password, and its only login would end',
    remedy: 'Set a password first',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    cause: 'The `Range` header is outside the file',
    remedy: 'Restart the download',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    cause:
      'The daily quota is used up, or a visitor of the dashboard has received the cards and prices of a day',
    remedy: 'Wait for `Retry-After`, until midnight UTC',
  },
  RECENT_LOGIN_REQUIRED: {
    status: 403,
    cause: 'The account has no password, and the login is too old to delete it',
    remedy: 'Log out, log in again, and repeat the request within 15 minutes',
  },
  REGISTRATION_CLOSED: {
    status: 403,
    cause: 'Nobody can create an account on this server',
    remedy: 'Ask the operator for an account',
  },
  REVISION_CONFLICT: {
    status: 409,
    cause: 'A collection or item was changed since the revision that the request names',
    remedy: 'Compare it with `error.current`, and send the change with its revision',
  },
  SESSION_REQUIRED: {
    status: 401,
    cause: 'The endpoint needs a logged-in session',
    remedy: 'Log in with `POST /v1/auth/login` and send the cookie',
  },
  SETTING_FIXED: {
    status: 409,
    cause: 'The setting comes from the server’s environment',
    remedy: 'Change it there and restart',
  },
  SETUP_DONE: {
    status: 409,
    cause: 'The server has an operator, or its setup is finished',
    remedy: 'Log in. Without an operator, run `bun run admin account operator` on the server',
  },
  SETUP_TOKEN_INVALID: {
    status: 401,
    cause: 'The setup token is wrong',
    remedy: 'Open the address that the server printed when it started',
  },
  SYNC_OFF: {
    status: 409,
    cause: 'The server has no mirror',
    remedy: 'Operators: set one in the settings, or `UPSTREAM_URL`',
  },
  SYNC_RUNNING: {
    status: 409,
    cause: 'A sync or an import is running',
    remedy: 'Wait until it ends; `GET /v1/operator/status` shows it',
  },
  TIER_REQUIRED: {
    status: 403,
    cause: "The account's tier does not include this feature",
    remedy: 'Upgrade to the tier in the message',
  },
  TOO_MANY_ALERTS: {
    status: 409,
    cause: 'The account has as many price alerts as the tier allows',
    remedy: 'Delete one, or upgrade',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    cause:
      'Too many logins, registrations, tests, orders, imports or unpaid photos in a short time, or too many uploads or photos of the account or address at once',
    remedy: 'Wait for `Retry-After`',
  },
  TOO_MANY_CHANNELS: {
    status: 409,
    cause: 'The account has as many channels for alerts as the tier allows',
    remedy: 'Delete one, or upgrade',
  },
  TOO_MANY_COLLECTIONS: {
    status: 409,
    cause: 'The account has as many collections or wish lists as the tier allows',
    remedy: 'Delete one, or upgrade',
  },
  TOO_MANY_ITEMS: {
    status: 400,
    cause: 'A bulk request exceeds its limit',
    remedy: 'Split it; the message names the limit',
  },
  TOO_MANY_KEYS: {
    status: 409,
    cause: 'The account has 25 active keys',
    remedy: 'Delete one first',
  },
  TOO_MANY_WEBHOOKS: {
    status: 409,
    cause: 'The account has 100 webhooks',
    remedy: 'Delete one first',
  },
  UNAVAILABLE: {
    status: 503,
    cause:
      'The server is starting, stopping or overloaded, its disk is full or failing, a body arrives too slowly, or an image host does not respond',
    remedy: 'Retry after `Retry-After`',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    cause: 'The `Content-Type` is not supported',
    remedy: 'Use the type in the message',
  },
  VALIDATION_ERROR: {
    status: 400,
    cause:
      'A parameter or body member is missing or invalid, the request has two different API keys, or the `Host` header is missing, invalid or repeated',
    remedy: 'Fix what the message names',
  },
  WEBHOOK_PAUSED: {
    status: 409,
    cause: 'A paused or disabled webhook cannot redeliver',
    remedy: 'Resume it with `{"paused":false}` first',
  },
} satisfies Record<string, ErrorMeaning>

/** Error codes of the API. */
export type ErrorCode = keyof typeof ERRORS

/** An error that the caller can act on. Any other exception is a bug. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Seconds after which a retry may succeed; undefined if waiting does not help. */
  readonly retryAfter: number | undefined
  /** Additional facts about the error, as in `meta` of a success. */
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** State that the request would have overwritten. */
  readonly current: object | undefined

  /** @param message states the problem, then the remedy; sent to the caller unchanged */
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
