import { Type } from '@sinclair/typebox'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Day, Described, Integer, nullable, Text, Time, Url } from './members.ts'
import { PriceSchema } from './prices.ts'

// Schemas of identifications and scans.

const Share = Type.Number({ description: 'Share of agreeing words, 0 to 1.' })

const Candidate = namedObject('Candidate', {
  card_id: Type.Integer(),
  marketplace_id: Type.Integer(),
  name: Type.String(),
  number: Text,
  rarity: Text,
  product_type: Text,
  set: namedObject('CandidateSet', { id: Type.Integer(), name: Type.String(), code: Text }),
  game: namedObject('CandidateGame', { slug: Type.String(), name: Type.String() }),
  image_url: Url,
  match: namedObject('CandidateMatch', {
    number: Described('`exact`, `partial` or `unknown`.'),
    name: Share,
    set: Share,
    edition: Type.Boolean(),
    reference: Type.Boolean({ description: 'True if a photo that people named found the card.' }),
  }),
  printings: Type.Array(Type.String()),
  suggested_printing: Text,
  score: Type.Number(),
  prices: Type.Optional(
    Type.Array(PriceSchema, {
      description:
        'Prices of the raw card. For a slab, prices of its grade, if the grade was read and has a price.',
    }),
  ),
})

export const IdentificationSchema = namedObject('Identification', {
  id: Type.String(),
  status: Described('`matched`, `ambiguous`, `retake`, `not_found` or `unsupported`.'),
  message: nullable(Described('For `retake`, what to fix.')),
  read: namedObject(
    'Reading',
    {
      game: Type.String(),
      name: Type.String(),
      number: Type.String(),
      set: Type.String(),
      language: Type.String(),
      kind: Described('Such as `raw` or `graded slab`.'),
      product_type: Type.String(),
      cards: Type.Integer(),
      finish: Type.String(),
      stamp: nullable(
        Described('`unclear` if the photo does not show whether the card has a stamp.'),
      ),
      grade: Type.String(),
      readable: namedObject('ReadableParts', {
        name: Type.Boolean(),
        number: Type.Boolean(),
        set: Type.Boolean(),
      }),
      notes: Type.String(),
    },
    {
      description: 'Read from the photo. Unreadable parts are empty, not guessed.',
    },
  ),
  candidates: Type.Array(Candidate, { description: 'At most ten, best first.' }),
  warnings: Type.Array(Type.String()),
})

const PixelSchema = namedObject('PhotoPoint', { x: Type.Number(), y: Type.Number() })

/** Place of a card in a photo of several cards. */
export const PLACE = {
  row: Integer('Row of the card, from 1 at the top.'),
  column: Integer('Column of the card, from 1 at the left.'),
  outline: Type.Array(PixelSchema, {
    description: 'Four corners in pixels of the photo, from the top left of the card, clockwise.',
  }),
}

export const UnreadSchema = Type.Array(
  namedObject('UnreadCard', {
    ...PLACE,
    reason: Described(
      '`scans` (none are left), `max_scans`, `reader` (it failed) or `time` (it took too long).',
    ),
  }),
  { description: 'Cards that were found and not read. They use no scan.' },
)

export const PageSchema = namedObject('IdentifiedPage', {
  photo: namedObject(
    'PhotoSize',
    { width: Type.Integer(), height: Type.Integer() },
    { description: 'Size of the photo in pixels, upright.' },
  ),
  cards: Type.Array(extendObject('PageCard', IdentificationSchema, PLACE), {
    description: 'By rows and columns.',
  }),
  unread: UnreadSchema,
})

export const PageMetaSchema = namedObject('PageMeta', {
  scans_charged: Integer('Scans that the photo used.'),
  scans_credited: Integer(
    'Returned scans: 1 if `/v1/identify` asked for one card at a time in the last 15 minutes.',
  ),
  scans_remaining: Type.Integer(),
})

export const ReviewedSchema = extendObject('ReviewedIdentification', IdentificationSchema, {
  feedback: nullable(
    namedObject('Feedback', {
      card_id: nullable(Integer('ID of the correct card; null if it is not in the catalog.')),
      created_at: DateTime,
    }),
  ),
})

export const ScanMetaSchema = namedObject('ScanMeta', {
  charged: nullable(Described('`scan`, or `payment` if the photo was paid individually.')),
  scans_remaining: Type.Integer(),
})

export const PictureIndexSchema = namedObject('PictureIndexStatus', {
  is_enabled: Type.Boolean({ description: 'True if pictures are indexed.' }),
  cards: Integer('Cards with a picture.'),
  waiting: Integer('Pictures that were never tried.'),
  indexed: Integer('Cards that photos match by picture.'),
  ready_at: Time('Estimate; null without one.'),
})

export const ScanUsageSchema = namedObject('ScanUsage', {
  balance: Type.Integer(),
  debt: Integer('Used scans whose payment was refunded.'),
  trial_pending: Type.Boolean({
    description: 'True if the first identification still adds 25 free scans.',
  }),
  days: Type.Array(
    namedObject('ScanDay', {
      date: Day,
      scans: Integer('Photos that were identified.'),
      refunded: Integer('Photos whose scan was refunded.'),
      matched: Type.Integer(),
      ambiguous: Type.Integer(),
      retake: Type.Integer(),
      not_found: Type.Integer(),
      unsupported: Type.Integer(),
    }),
  ),
  ledger: Type.Array(
    namedObject('ScanAddition', {
      reason: Described('`trial`, `purchase`, `grant`, or `reinstatement` after a dispute.'),
      scans: Type.Integer(),
      amount_cents: nullable(Type.Integer()),
      created_at: DateTime,
    }),
  ),
  pictures: PictureIndexSchema,
  page: namedObject('PageProgress', { cards: Type.Integer(), done: Type.Integer() }),
})

export const PaymentInfoSchema = namedObject('PaymentInfo', {
  enabled: Type.Boolean(),
  x402_version: nullable(Type.Integer()),
  price: nullable(
    namedObject('PhotoPrice', {
      dollars: Type.Number(),
      atomic: Described('Amount in the smallest unit of the token.'),
    }),
  ),
  scheme: Text,
  network: nullable(Described('CAIP-2 name of the network.')),
  asset: nullable(
    namedObject('PaymentAsset', {
      address: Type.String(),
      name: Type.String(),
      version: Type.String(),
      decimals: Type.Integer(),
    }),
  ),
  pay_to: Text,
  facilitator_url: Url,
  resource: Url,
  max_timeout_seconds: nullable(Type.Integer()),
  how_to_pay: Text,
})
