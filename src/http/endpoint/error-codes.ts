import type { ErrorCode } from '#rules/primitives/errors.ts'

/** Meaning of an error code for clients: docs/reference/errors.md and the API document have these sentences. */
export type ErrorMeaning = { status: number; cause: string; remedy: string }

/** Status, cause and remedy of each error. A code without them does not compile. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  API_KEY_REQUIRED: {
    status: 401,
    cause: 'The request has no API key',
    remedy: 'Send the key in the header `X-API-Key` or as `Authorization: Bearer`, not in the URL',
  },
  BILLING_UNAVAILABLE: {
    status: 503,
    cause: 'The payment provider does not respond, or another checkout is being created',
    remedy: 'Retry after `Retry-After`',
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
    cause: 'The e-mail address of the account is not confirmed, and the operator requires it',
    remedy: 'Open the link in the mail, or request another one',
  },
  IDENTIFY_REGION_UNAVAILABLE: {
    status: 403,
    cause: 'The operator blocked identification in this country',
    remedy: 'Retrying does not help',
  },
  IDENTIFY_UNAVAILABLE: {
    status: 503,
    cause: 'The photo reader is off, busy or failed; the scan is refunded',
    remedy: 'Retry after `Retry-After`',
  },
  IDENTITY_TAKEN: {
    status: 409,
    cause: 'The login is linked to another account, or the account to another login',
    remedy: 'End the other link first',
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
  INVALID_IMAGE: {
    status: 400,
    cause:
      'The photo is missing, too large, damaged, or not a JPEG, PNG or WebP. It uses a scan only if `meta.charged` is `scan`: after five damaged photos in a day',
    remedy: 'Send another photo of at most 8 MB',
  },
  INVALID_SIGNATURE: {
    status: 400,
    cause: 'A Stripe event has no valid signature, or its time is more than five minutes off',
    remedy: 'Operators: check `STRIPE_WEBHOOK_SECRET` and the clock',
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
    cause: 'The link of a mail is unknown, used, replaced by a newer one, or expired',
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
    cause: 'The login provider does not answer, or calls itself by another URL than `OIDC_ISSUER`',
    remedy: 'Log in with a password, or retry after `Retry-After`',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    cause: 'The endpoint does not support this method',
    remedy: 'Use a method from the `Allow` header',
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
  PAYMENT_INVALID: {
    status: 400,
    cause: 'The `PAYMENT-SIGNATURE` header cannot be parsed',
    remedy: 'Sign again with a current x402 client',
  },
  PAYMENT_PENDING: {
    status: 503,
    cause: 'It is not known yet whether the payment was settled',
    remedy: 'Send the same photo with the same signature again; it is charged once',
  },
  PAYMENT_REJECTED: {
    status: 402,
    cause: 'The payment does not fit the offer, failed, or belongs to another photo',
    remedy: 'Sign a new payment',
  },
  PAYMENT_REQUIRED: {
    status: 402,
    cause: 'A photo without key and payment',
    remedy: 'Pay the offer in `PAYMENT-REQUIRED`, or send an API key',
  },
  PAYMENT_UNAVAILABLE: {
    status: 503,
    cause: 'Payments cannot be verified right now, or too many are in progress',
    remedy: 'Retry after `Retry-After`; nothing was charged',
  },
  PAYMENT_VERSION_UNSUPPORTED: {
    status: 400,
    cause: 'The payment uses another version of x402',
    remedy: 'Use an x402 client for version 2',
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
  SCAN_BALANCE_EMPTY: {
    status: 402,
    cause:
      'The account has no scans left, or its trial cannot start because too many new accounts in its network started theirs',
    remedy: 'Buy scans, or pay per photo; for a trial, wait for `Retry-After`',
  },
  SCAN_SESSION_FULL: {
    status: 409,
    cause: 'The scan session has 5,000 items',
    remedy: 'Create another one, or delete items',
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
    cause: 'The server has an operator',
    remedy: 'Log in',
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
  TOO_MANY_SCAN_SESSIONS: {
    status: 409,
    cause: 'The account has 100 scan sessions',
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
}
