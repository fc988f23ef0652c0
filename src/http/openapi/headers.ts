import { type TSchema, Type } from '@sinclair/typebox'
import { DateTime } from '../schemas/members.ts'

type Header = { description: string; schema: TSchema; example: unknown }

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })

/** Response headers of the API, as the document lists them. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'ID of the request. The operator finds it in the log.',
    schema: Text,
    example: '7b1c0e6a-0003f2',
  },
  'X-RateLimit-Limit': {
    description: 'Requests of the daily quota, in every response to an API key.',
    schema: Count,
    example: 10000,
  },
  'X-RateLimit-Remaining': {
    description: 'Remaining requests of today, in every response to an API key.',
    schema: Count,
    example: 9999,
  },
  'X-RateLimit-Reset': {
    description: 'Midnight UTC at which the quota is full again, in every response to an API key.',
    schema: DateTime,
    example: '2026-11-16T00:00:00.000Z',
  },
  ETag: {
    description: 'Version of the response. Send it in `If-None-Match` to receive only changes.',
    schema: Text,
    example: '"v3"',
  },
  Link: {
    description: 'URLs of the first, previous, next and last page, by `rel`.',
    schema: Text,
    example: '<https://cards.example/v1/games?page=2>; rel="next"',
  },
  'Retry-After': {
    description: 'Seconds after which a retry may succeed.',
    schema: Count,
    example: 30,
  },
  'X-Scans-Remaining': {
    description: 'Scans left in the account.',
    schema: Count,
    example: 24,
  },
  'Content-Disposition': {
    description: 'Suggests a name for the file.',
    schema: Text,
    example: 'attachment; filename="cards.jsonl.gz"',
  },
  'X-Items-Left-Out': {
    description: 'Items that the file leaves out.',
    schema: Count,
    example: 2,
  },
  'Content-Range': {
    description: 'Part of the file in this response.',
    schema: Text,
    example: 'bytes 0-999/52110',
  },
  'Set-Cookie': {
    description: 'Session cookie. An empty one ends the session.',
    schema: Text,
    example: 'session=…; Path=/; HttpOnly; SameSite=Lax',
  },
  'PAYMENT-REQUIRED': {
    description: 'Terms of paying for one photo, as x402 encodes them.',
    schema: Text,
    example: 'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  },
  'PAYMENT-RESPONSE': {
    description: 'Receipt of the payment, as x402 encodes it.',
    schema: Text,
    example: 'eyJzdWNjZXNzIjp0cnVlfQ==',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof HEADERS

/** Returns references to headers by name. */
export function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  )
}
