import { Type } from '@sinclair/typebox'
import { DRAFT_KINDS, DRAFT_STATES } from '#rules/collections/import-draft.ts'
import { stringEnum } from '../input/fields.ts'
import { ITEM_CONDITION } from '../input/item-fields.ts'
import { namedObject } from '../openapi/schemas.ts'
import { ColumnUses } from './bulk.ts'
import { DateTime, Integer, Money, nullable, Text, Url } from './members.ts'

// Schemas of imports and their drafts.

const CARD = {
  card_id: Type.Integer(),
  name: Type.String(),
  number: Text,
  set_name: Type.String(),
  image_url: Url,
}

const ImportRowSchema = namedObject('ImportRow', {
  id: Type.String(),
  row: Type.Integer(),
  kind: stringEnum(DRAFT_KINDS),
  state: stringEnum(DRAFT_STATES, 'Only accepted rows are imported.'),
  is_changed: Type.Boolean(),
  text: Type.String(),
  reason: Text,
  notes: Type.Array(Type.String()),
  card: nullable(Type.Object(CARD)),
  printing: Text,
  printings: Type.Array(Type.Object({ printing: Type.String(), market_price: Money('Now.') })),
  condition: ITEM_CONDITION,
  grade: Text,
  language: Text,
  quantity: Type.Integer(),
  market_price: Money('Of one copy.'),
  value: Money('Value of all copies.'),
  alternatives: Type.Array(Type.Object({ ...CARD, market_price: Money('Now.') })),
})

export const IMPORT_STATES = ['draft', 'importing', 'imported', 'undoing', 'undone'] as const

export const ImportSchema = namedObject('CollectionImport', {
  id: Type.String(),
  collection_id: Type.String(),
  collection_name: Type.String(),
  state: stringEnum(IMPORT_STATES),
  revision: Integer('Grows with each change.'),
  expires_at: nullable(DateTime),
  undo_until: nullable(DateTime),
  file_name: Text,
  rows: Type.Integer(),
  columns: ColumnUses,
  is_repeated: Type.Boolean({ description: 'True if the file was imported before.' }),
  room: nullable(Integer('Items that the collection can still have; null: no limit.')),
  totals: Type.Array(
    Type.Object({
      kind: stringEnum(DRAFT_KINDS),
      rows: Type.Integer(),
      accepted: Type.Integer(),
      unowned: Type.Integer(),
      skipped: Type.Integer(),
      value: Type.Number(),
      accepted_value: Type.Number(),
    }),
  ),
  imported: Integer('Items added.'),
  unowned: Integer('Items added to the wish list.'),
  removed: Integer('Items removed by the undo.'),
  kept: Type.Array(
    Type.Object({ item_id: Type.String(), card_id: Type.Integer(), name: Type.String() }),
    { description: 'The first 200 items that had changed.' },
  ),
  kept_count: Type.Integer(),
  entries: Type.Array(ImportRowSchema),
})
