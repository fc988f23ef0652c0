import { Type } from '@sinclair/typebox'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Day, Described, nullable } from './members.ts'

// Schemas of accounts, keys and usage. Names and notes follow the specification (docs/reference/spec.md).

export const RateLimitSchema = namedObject('RateLimit', {
  daily_limit: Type.Integer(),
  daily_remaining: Type.Integer(),
  daily_reset: DateTime,
})

export const AccountSchema = namedObject('Account', {
  id: Type.Integer(),
  email: Type.String(),
  tier: Described('`free`, `hobby`, `starter`, `pro` or `business`.'),
  is_operator: Type.Boolean({ description: 'True if the account may use `/v1/operator/…`.' }),
  created_at: DateTime,
})

export const MeSchema = extendObject('CurrentAccount', AccountSchema, {
  is_unlimited: Type.Boolean({
    description: 'True if the server is private, and its operator has admitted the account.',
  }),
  has_password: Type.Boolean({ description: 'False if the account only logs in with a provider.' }),
  login_provider: nullable(
    namedObject('LoginProviderLink', {
      label: Described('Name of the login provider.'),
      linked_at: nullable(DateTime),
    }),
  ),
  sessions: Type.Array(
    namedObject('Session', {
      id: Type.String(),
      browser: Described('Browser and system in words; empty if unknown.'),
      network: Described('Network of the login, such as `203.0.113.0/24`; empty if unknown.'),
      created_at: DateTime,
      last_seen_at: DateTime,
      expires_at: DateTime,
      is_current: Type.Boolean(),
    }),
  ),
})

export const KeySchema = namedObject('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String(),
  last4: Type.String(),
  is_active: Type.Boolean(),
  created_at: DateTime,
  last_used_at: nullable(DateTime),
  requests_today: Type.Integer(),
  requests_total: Type.Integer(),
})

export const NewKeySchema = extendObject('CreatedApiKey', KeySchema, {
  key: Described('The API key.'),
})

const UsageDays = Type.Array(
  namedObject('UsageDay', {
    date: Day,
    requests: Type.Integer(),
    groups: Type.Record(Type.String(), Type.Integer(), {
      description: 'Requests by group of endpoints.',
    }),
  }),
)

export const UsageSchema = namedObject('Usage', {
  account: extendObject('AccountUsage', RateLimitSchema, {
    tier: Type.String(),
    today_requests: Type.Integer(),
  }),
  days: UsageDays,
  keys: Type.Array(extendObject('ApiKeyUsage', KeySchema, { days: UsageDays })),
  subscription: namedObject('Subscription', {
    plan: Type.String(),
    status: Type.String(),
    current_period_end: nullable(DateTime),
    cancel_at_period_end: Type.Boolean({ description: 'True if the subscription ends then.' }),
    next_plan: nullable(Described('Plan of the next period. Null: unchanged.')),
  }),
  scans: namedObject('ScanBalance', { balance: Type.Integer(), trial_pending: Type.Boolean() }),
})
