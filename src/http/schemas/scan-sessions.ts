import { Type } from '@sinclair/typebox'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { COPIES_OF_ITEM, CURRENCY, VALUE_OF_ITEM, ValueNotes } from './collections.ts'
import { IdentificationSchema, PageMetaSchema, PLACE, UnreadSchema } from './identify.ts'
import { DateTime, Described, Integer, nullable, Text, Url } from './members.ts'

// Schemas of scan sessions, their photos and items.

export const ScanSessionSchema = namedObject('ScanSession', {
  id: Type.String(),
  name: Type.String(),
  item_count: Type.Integer(),
  copies: Type.Integer(),
  open: Integer('Items that are not reviewed.'),
  photo_count: Type.Integer(),
  scans_charged: Integer('Number of scans that the photos of the session used.'),
  created_at: DateTime,
  updated_at: Type.String({ ...DateTime, description: 'It is kept for 30 days after this.' }),
})

export const ScanSessionTotalsSchema = extendObject('ScanSessionTotals', ScanSessionSchema, {
  value: Type.Number({ description: 'Value of the reviewed items with a known price.' }),
  unpriced: Integer('Reviewed items without a known price.'),
  notes: ValueNotes,
  ...CURRENCY,
})

const { status, message, read, candidates, warnings } = IdentificationSchema.properties

export const ScanSessionItemSchema = namedObject('ScanSessionItem', {
  id: Type.String(),
  photo: Described('Key of the photo that shows the card.'),
  row: nullable(PLACE.row),
  column: nullable(PLACE.column),
  outline: nullable(PLACE.outline),
  identification_id: Type.String(),
  copied_from: nullable(Described('ID of the original, if this item is a duplicate.')),
  status,
  message,
  read,
  candidates,
  warnings,
  card_id: nullable(Integer('The matched, suggested or chosen card; null without one.')),
  name: Text,
  number: Text,
  game: nullable(Described('Slug of the game.')),
  set_id: nullable(Type.Integer()),
  set_name: Text,
  image_url: Url,
  printing: Text,
  ...COPIES_OF_ITEM,
  is_reviewed: Type.Boolean({
    description: 'True if the card is certain: matched, chosen or confirmed.',
  }),
  ...VALUE_OF_ITEM,
  revision: Integer('Grows with each change.'),
  created_at: DateTime,
  updated_at: DateTime,
})

export const SessionPhotoSchema = namedObject('ScanSessionPhotoResult', {
  photo: namedObject('ScanSessionPhoto', {
    key: Described('Key that the client chose.'),
    width: nullable(Integer('Pixels of a photo of many cards; null for one card.')),
    height: nullable(Type.Integer()),
    scans_charged: Integer('Scans that the photo used when it was stored.'),
    created_at: DateTime,
  }),
  items: Type.Array(ScanSessionItemSchema, {
    description: 'Items of the photo, by rows and columns, in their current state.',
  }),
  unread: UnreadSchema,
  session: ScanSessionTotalsSchema,
})

export const SessionPhotoMetaSchema = extendObject('ScanSessionPhotoMeta', PageMetaSchema, {
  is_repeated: Type.Boolean({
    description: 'True if the session already had the photo, which was not charged again.',
  }),
})

export const CollectedSchema = namedObject('CollectedScanSession', {
  added: Type.Integer(),
  skipped: Integer('Items that were in the collection already.'),
})
