import { Type } from '@sinclair/typebox'
import { ERRORS, type ErrorCode } from '#rules/primitives/errors.ts'
import { stringEnum } from '../input/fields.ts'
import { RateLimitSchema } from '../schemas/accounts.ts'
import { nullable } from '../schemas/members.ts'
import { EXAMPLES } from './examples.ts'
import { type HeaderName, headerReferences } from './headers.ts'
import { namedObject, type SchemaCollector } from './schemas.ts'

// The keys of the table are the codes.
const CODES = (Object.keys(ERRORS) as ErrorCode[]).sort()

const ErrorCodeSchema = {
  ...stringEnum(CODES, 'Cause, for programs. `/guides/errors` has the remedy of each.'),
  $id: 'ErrorCode',
}

const ErrorSchema = namedObject('ErrorResponse', {
  error: namedObject('ErrorDetails', {
    code: ErrorCodeSchema,
    message: Type.String({ description: 'The problem and its remedy, for people.' }),
    current: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'Only for `REVISION_CONFLICT`: the current collection or item.',
        },
      ),
    ),
  }),
  meta: Type.Optional(
    namedObject(
      'ErrorMeta',
      { charged: nullable(Type.String()), scans_remaining: Type.Integer() },
      { description: 'Only if a damaged photo used a scan.' },
    ),
  ),
  rate_limit: Type.Optional(RateLimitSchema),
})

type Failure = { name: string; description: string; headers?: readonly HeaderName[] }

/** Error responses by status. Operations refer to them, some with their own description. */
const FAILURES: Readonly<Record<number, Failure>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is invalid. The message names the field.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The API key or session is missing, unknown or no longer valid.',
    headers: ['PAYMENT-REQUIRED'],
  },
  402: {
    name: 'PaymentRequired',
    description: 'No scans are left, or the payment was rejected.',
    headers: ['PAYMENT-REQUIRED', 'Retry-After'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The tier is too low, only operators may do this, or a page of another origin sent the request.',
  },
  404: { name: 'NotFound', description: 'Not found.' },
  409: { name: 'Conflict', description: 'The current state does not allow this.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json.' },
  416: {
    name: 'RangeNotSatisfiable',
    description: 'The requested part begins after the end of the file.',
    headers: ['Content-Range'],
  },
  429: {
    name: 'TooManyRequests',
    description: 'The daily quota is used up. It resets at midnight UTC.',
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  503: {
    name: 'Unavailable',
    description: 'The service is busy, starting or stopping.',
    headers: ['Retry-After'],
  },
}

/** Error response of every endpoint; Retry-After only with 503. */
const SERVER_ERROR: Failure = {
  name: 'ServerError',
  description: 'Internal error (500), or the service is busy, starting or stopping (503).',
  headers: ['Retry-After'],
}

/** Refers to the error response of a status, which the text of an endpoint describes further. */
export function failureReference(status: number, text?: string): object {
  const failure = FAILURES[status]
  if (failure === undefined) throw new Error(`no error response has the status ${status}`)
  const { name, description } = failure
  return {
    $ref: `#/components/responses/${name}`,
    ...(text !== undefined && text !== description && { description: text }),
  }
}

/** Renders all error responses, by name. */
export function renderFailures({ render }: SchemaCollector): Record<string, object> {
  return Object.fromEntries(
    [...Object.values(FAILURES), SERVER_ERROR].map(({ name, description, headers = [] }) => {
      const content = { schema: render(ErrorSchema), example: EXAMPLES.failures[name] }
      return [
        name,
        {
          description,
          headers: headerReferences(['X-Request-Id', ...headers]),
          content: { 'application/json': content },
        },
      ]
    }),
  )
}
