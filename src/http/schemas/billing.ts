import { Type } from '@sinclair/typebox'
import { REGISTRATION_MODES } from '#rules/accounts/invitations.ts'
import { TIERS } from '#rules/accounts/tiers.ts'
import { PACKS } from '#rules/billing/plans.ts'
import { stringEnum } from '../input/fields.ts'
import { namedObject } from '../openapi/schemas.ts'
import { Described, Integer, nullable } from './members.ts'

// Schemas of offers and payments. Names and notes follow the specification (docs/reference/spec.md).

export const PaymentLinkSchema = namedObject('PaymentLink', {
  url: Type.String({ format: 'uri' }),
  kind: Described('`checkout`: link to pay. `portal`: link to manage the existing subscription.'),
})

const PlanSchema = namedObject('PlanOffer', {
  plan: stringEnum(TIERS, 'Value for `create-checkout`, except `free`.'),
  name: Type.String(),
  price_cents: Integer('US cents per month.'),
  daily_requests: Type.Integer(),
  history_days: nullable(
    Integer('Depth of price histories in days. Null: unlimited; 0: no histories.'),
  ),
  resolve_items: nullable(Integer('Maximum items of one resolve request. Null: not included.')),
  commercial_use: Type.Boolean({ description: 'True if the license allows commercial use.' }),
  features: Type.Array(Type.String(), { description: 'Features of the tier.' }),
})

const PackSchema = namedObject('PackOffer', {
  pack: stringEnum(PACKS, 'Value for `create-checkout`.'),
  scans: Type.Integer(),
  price_cents: Integer('US cents, paid once.'),
})

export const OffersSchema = namedObject('Offers', {
  provider: stringEnum(
    ['stripe', 'manual', 'off'],
    '`stripe`, `manual` (paid to the operator) or `off`.',
  ),
  plans: Type.Array(PlanSchema),
  packs: Type.Array(PackSchema),
  registration: stringEnum(
    REGISTRATION_MODES,
    'Access to registration: anyone, people with an invitation, or nobody.',
  ),
  login_provider: nullable(Described('Name of the login provider. Null without one.')),
  has_password_reset: Type.Boolean({ description: 'True if passwords can be reset by mail.' }),
})
