import { type TSchema, Type } from '@sinclair/typebox'
import { PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN } from '#rules/accounts/credentials.ts'
import { COLLECTION_FORMATS } from '#rules/collections/collection-formats.ts'
import { PREFERENCE_BY_DEFAULT, PREFERENCES } from '#rules/matching/preference.ts'
import { PAGE_CARDS_MAX } from '#rules/photos/page-cut.ts'
import { TIMESTAMP_LENGTH_MAX, TIMESTAMP_PATTERN } from '#rules/primitives/days.ts'
import { PER_PAGE_MAX } from '#rules/primitives/paging.ts'
import { LABEL_CHARACTERS_MAX, LABEL_PATTERN } from '#rules/primitives/plain-text.ts'

// Fields that several endpoints share.

// Excludes control characters, because NUL would end the text for some readers.
const PRINTABLE = '^[^\\u0000-\\u001f\\u007f]*$'

/** A short string without line breaks. */
export function line(options: {
  minLength?: number
  maxLength?: number
  description: string
  default?: string
  [marker: symbol]: unknown
}) {
  return Type.String({ minLength: 1, maxLength: 100, pattern: PRINTABLE, ...options })
}

/** A name that is stored and shown, without control characters and invisible characters. */
export function label(options: { description: string; default?: string }) {
  return Type.String({
    minLength: 1,
    maxLength: LABEL_CHARACTERS_MAX,
    pattern: LABEL_PATTERN,
    ...options,
  })
}

/** Name of a collection or a scan session. It is named itself, because its pattern is long. */
export const LIST_NAME = Type.String({ ...label({ description: 'Name for people.' }), $id: 'Name' })

/** A comma-separated list, which may also be sent as a repeated parameter, with or without `[]`. */
export function listField(options: { maxLength: number; description: string }) {
  return line({ ...options, [IS_LIST]: true })
}

/** Field with the IDs of cards. */
export function idsField(idsMax: number) {
  return listField({
    // IDs of sixteen digits, each with a comma and a space.
    maxLength: 20_000,
    description: `Comma-separated card IDs, at most ${idsMax}.`,
  })
}

/** Marks a field as a list. A symbol is not part of the API document. */
const IS_LIST = Symbol('list')

export function isListField(field: TSchema): boolean {
  return IS_LIST in field
}

/** Optional member of a body; null counts as absent. */
export function optionalOrNull<S extends TSchema>(field: S) {
  return Type.Optional(Type.Union([field, Type.Null()]))
}

/** String from a fixed list. */
export function stringEnum<const Words extends readonly string[]>(
  words: Words,
  description?: string,
  fallback?: Words[number],
) {
  const literals = words.map((word) => Type.Literal(word as Words[number]))
  const text = description === undefined ? {} : { description }
  return Type.Union(literals, fallback === undefined ? text : { default: fallback, ...text })
}

/** Which of several cards a name without a set means. */
export const PREFER = stringEnum(
  PREFERENCES,
  'Which card a name without a set means.',
  PREFERENCE_BY_DEFAULT,
)

export const ID = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'ID on the marketplace.',
})

export const PAGING = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    default: 1,
    description: 'Page number, from 1.',
  }),
  per_page: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 50,
    description: `Entries per page. Values above ${PER_PAGE_MAX} count as ${PER_PAGE_MAX}.`,
  }),
}

/** Paging of a list that is returned completely without `per_page`. */
export const OPTIONAL_PAGING = {
  page: PAGING.page,
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: `Entries per page. Values above ${PER_PAGE_MAX} count as ${PER_PAGE_MAX}. Default: all entries, without \`meta\`.`,
    }),
  ),
}

export const UPDATED_AFTER = Type.Optional(
  Type.String({
    format: 'date-time',
    pattern: TIMESTAMP_PATTERN,
    maxLength: TIMESTAMP_LENGTH_MAX,
    description:
      'Only entries changed in this catalog after a time such as `2026-11-20T00:00:00Z`, or midnight UTC of a date. To miss nothing, use `changed_at` of `/v1/meta` from before your last request.',
  }),
)

export const PRINTING = Type.Optional(
  line({ description: 'Exact name of a printing, such as `Reverse Holofoil`.' }),
)

export const GAME_SLUG = Type.Optional(line({ description: 'Slug of a game.' }))

export const PRODUCT_TYPE = Type.Optional(
  stringEnum(['Cards', 'Sealed Products'], 'Single cards, or sealed products.'),
)

export const FIELDS = Type.Optional(
  listField({
    maxLength: 1_000,
    description:
      'Comma-separated members of each entry, such as `name`; `id` or `card_id` is always included. Default: all. Entries lack the others, even required ones.',
  }),
)

/** Parameters of all endpoints with prices. */
export const PRICE_CHOICE = {
  currency: Type.Optional(
    line({
      description:
        'Currency such as `EUR`: prices of its native source if available, else converted. Default: `tcgplayer` in US dollars. With `currency` or `source`, each price states its origin.',
    }),
  ),
  source: Type.Optional(
    line({
      description:
        'Only prices of this source, such as `cardmarket`, in its own currency without `currency`. `/v1/meta` lists the sources.',
    }),
  ),
}

/** Field of the currency in which values of collections are shown. */
export const VALUE_CURRENCY = {
  currency: Type.Optional(
    line({
      description: 'Currency of the values. Default: `USD`.',
    }),
  ),
}

/** Fields of the members that an endpoint adds on request: without and with the ids of cards. */
export const INCLUDE = includeField('')
export const INCLUDE_IDS = includeField(', or `ids` of each card in other systems')

function includeField(more: string) {
  return Type.Optional(
    listField({
      maxLength: 100,
      description: `Comma-separated members to add: \`confidence\`, how reliable each price is, with its reasons${more}.`,
    }),
  )
}

/** Field of the format in which items of collections and scan sessions are downloaded. */
export const ITEMS_FORMAT = stringEnum(COLLECTION_FORMATS, 'Format of the file.', 'full')

export const WEBHOOK_ID = { webhook_id: line({ description: 'ID of the webhook.' }) }

export const HISTORY_RANGE = stringEnum(
  ['month', 'quarter', 'year', 'all'],
  '30, 90 or 365 days, or the whole history depth of your tier.',
  'month',
)

export const SCAN_SESSION_ID = { id: line({ description: 'ID of the scan session.' }) }

/** Id chosen by the client, so that a repeated request creates nothing twice. */
export const CLIENT_UUID = Type.String({
  maxLength: 36,
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  description: 'UUID in lower case, random or of version 7. Default: the server generates one.',
  $id: 'ClientId',
})

export const PHOTO_GAME = Type.Optional(
  line({ description: 'Slug of the game to search in. Default: all games.' }),
)

/** Field of the maximum number of scans that a photo of many cards may use. */
export const SCANS_MAX = Type.Integer({
  minimum: 1,
  maximum: PAGE_CARDS_MAX,
  default: PAGE_CARDS_MAX,
  description: 'Maximum number of scans to use. Further cards stay unread.',
})

export const COLLECTION_ID = { id: line({ description: 'ID of the collection.' }) }

/** Revision on which a change is based. */
export const REVISION = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Revision to change: another one is a conflict. Default: any.',
  }),
)

// Fields of accounts, in registration, login and mailed links.

/** The e-mail address of an account. */
export const EMAIL = Type.String({ maxLength: 320, format: 'email' })

/** A new password. */
export const NEW_PASSWORD = Type.String({
  minLength: PASSWORD_CHARACTERS_MIN,
  maxLength: PASSWORD_BYTES_MAX,
  description: `At least ${PASSWORD_CHARACTERS_MIN} characters, at most ${PASSWORD_BYTES_MAX} bytes.`,
})
