import { Type } from '@sinclair/typebox'
import { stringEnum } from '../input/fields.ts'
import { namedObject } from '../openapi/schemas.ts'
import { DateTime, Day, Described, Integer, nullable, Text } from './members.ts'

/** The last import of older prices, and what can be imported. */
export const HistoryImportSchema = namedObject('HistoryImport', {
  state: stringEnum(
    ['none', 'running', 'complete', 'canceled', 'interrupted', 'failed'],
    'All but `complete` can go on where they stopped.',
  ),
  name: Text,
  files_read: Type.Integer(),
  days: nullable(Integer('Null until all of it was read.')),
  days_stored: Type.Integer(),
  first_day: nullable(Day),
  last_day: nullable(Day),
  points: Type.Integer(),
  unknown_cards: Type.Integer(),
  bad_records: Type.Integer(),
  failure_count: Type.Integer(),
  failures: Type.Array(
    namedObject('HistoryImportFailure', { file: Type.String(), message: Type.String() }),
  ),
  cut_day: nullable(
    Type.String({ format: 'date', description: 'Left out: the archive is cut off in it.' }),
  ),
  problem: Text,
  started_at: nullable(DateTime),
  ended_at: nullable(DateTime),
  archives: Type.Array(
    namedObject('OfferedArchive', {
      name: Type.String(),
      kind: stringEnum(['folder', 'archive']),
      bytes: nullable(Type.Integer()),
    }),
    { description: 'Contents of `import` in the data folder.' },
  ),
})

export const HistoryUploadSchema = namedObject('HistoryUpload', {
  archive: nullable(Described('Null until all bytes have arrived.')),
  received: Type.Integer(),
})
