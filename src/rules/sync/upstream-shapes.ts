// Schemas of the upstream's files. Only fields that are read are checked; a wrong type in one of them makes the
// record invalid.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { ValueError } from '@sinclair/typebox/errors'

/** Returns the problem with a record, naming only the field; undefined if it is valid. */
export type ProblemFinder = (record: unknown) => string | undefined

/** Checks records of one kind. */
export type RecordShape<T> = { is: (record: unknown) => record is T; findProblem: ProblemFinder }

const ID_MAX = Number.MAX_SAFE_INTEGER
// The longest printed card text has about 1,500 characters. The limits reject other content and
// bound the work of later steps.
const NAME_MAX = 1_000
const TEXT_MAX = 20_000
const ATTRIBUTES_MAX = 200
/** Dollars. The most expensive card ever sold was below six million; list prices are far lower. */
const PRICE_MAX = 1_000_000

const Id = Type.Integer({ minimum: 1, maximum: ID_MAX })
const Count = Type.Integer({ minimum: 0, maximum: ID_MAX })
const Text = Type.String({ maxLength: TEXT_MAX, pattern: '^[^\\u0000]*$' })
const Name = Type.String({ maxLength: NAME_MAX, pattern: '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$' })
const Price = Type.Number({ minimum: 0, maximum: PRICE_MAX })

/** Makes a field optional and nullable. */
function perhaps<T extends TSchema>(schema: T) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

const Category = Type.Object({
  categoryId: Id,
  name: Name,
  displayName: perhaps(Text),
  popularity: perhaps(Type.Number()),
})

const Group = Type.Object({
  groupId: Id,
  categoryId: Id,
  name: Name,
  abbreviation: perhaps(Text),
  publishedOn: perhaps(Text),
  modifiedOn: perhaps(Text),
})

const Attribute = Type.Object({
  name: Name,
  value: Type.Union([Text, Type.Array(Text, { maxItems: ATTRIBUTES_MAX }), Type.Null()]),
})

const Product = Type.Object({
  productId: Id,
  categoryId: Id,
  groupId: Id,
  name: Name,
  cleanName: perhaps(Text),
  imageUrl: perhaps(Text),
  url: perhaps(Text),
  presaleInfo: perhaps(Type.Object({ isPresale: perhaps(Type.Boolean()) })),
  extendedData: perhaps(Type.Array(Attribute, { maxItems: ATTRIBUTES_MAX })),
  totalListings: perhaps(Count),
  shippingCategoryId: perhaps(Count),
  productStatusId: perhaps(Count),
  foilOnly: perhaps(Type.Union([Type.Boolean(), Type.Literal(0), Type.Literal(1)])),
})

const PriceRow = Type.Object({
  productId: Id,
  subTypeName: Name,
  marketPrice: perhaps(Price),
  lowPrice: perhaps(Price),
  midPrice: perhaps(Price),
  lowestPriceWithShipping: perhaps(Price),
  buylistPrice: perhaps(Price),
  averageSalesPrice: perhaps(Price),
  salesVolume: perhaps(Count),
})

export type RawGame = Static<typeof Category>
export type RawSet = Static<typeof Group>
export type RawCard = Static<typeof Product>
export type RawAttribute = Static<typeof Attribute>
export type RawPrice = Static<typeof PriceRow>

export const GAME_SHAPE: RecordShape<RawGame> = compileShape(Category)
export const SET_SHAPE: RecordShape<RawSet> = compileShape(Group)
export const CARD_SHAPE: RecordShape<RawCard> = compileShape(Product)
export const PRICE_SHAPE: RecordShape<RawPrice> = compileShape(PriceRow)

function compileShape<T extends TSchema>(schema: T): RecordShape<Static<T>> {
  const compiled = TypeCompiler.Compile(schema)
  return {
    is: (record): record is Static<T> => compiled.Check(record),
    findProblem: (record) => {
      const error = innermost(compiled.Errors(record).First())
      if (error === undefined) return undefined
      const field = error.path.slice(1).replaceAll('/', '.') || 'the record'
      return `${field}: ${error.message}`
    },
  }
}

/** A union only reports that no variant matches. The error of its first variant is nested. */
function innermost(error: ValueError | undefined): ValueError | undefined {
  const inner = error?.errors[0]?.First()
  return inner === undefined ? error : innermost(inner)
}

/** A file that is not in the mirror's format; the message is for the operator. */
export class UpstreamFormatError extends Error {
  override readonly name = 'UpstreamFormatError'
}

/**
 * Parses the records in a file's envelope, `{ success, errors, results: […] }`.
 *
 * @throws UpstreamFormatError if the file is not such an envelope. The message quotes nothing of the file, because a
 * redirect may have led to a server whose responses must not be in the operator's log.
 */
export function parseResults(text: string): unknown[] {
  const envelope = parse(text)
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw new UpstreamFormatError('the file is not an object with results')
  }
  if ('success' in envelope && envelope.success !== true) {
    throw new UpstreamFormatError(
      'the upstream reports a failure in this file (success is not true)',
    )
  }
  if (!('results' in envelope) || !Array.isArray(envelope.results)) {
    throw new UpstreamFormatError('the file has no results array')
  }
  if (envelope.results.length > RECORDS_MAX) {
    throw new Error(`the file has more than ${RECORDS_MAX} records`)
  }
  return envelope.results
}

// Six and five times the numbers in the largest file of the mirror. They limit the memory of a parsed file, because
// nested arrays take eighty times their text.
const RECORDS_MAX = 10_000
const VALUES_MAX = 400_000

function parse(text: string): unknown {
  const body = text.replace(/^\ufeff/, '').trim()
  if (hasTooManyValues(body)) throw new Error(`the file has more than ${VALUES_MAX} values`)
  try {
    return JSON.parse(body)
  } catch {
    // The parser's own message may quote any amount of the body.
    throw new UpstreamFormatError(`the file ${whyNoJson(body)}`)
  }
}

/** Counts commas and opening brackets, including those in texts: an upper bound of the number of values. */
function hasTooManyValues(body: string): boolean {
  if (body.length <= VALUES_MAX) return false
  let values = 0
  for (let index = 0; index < body.length && values <= VALUES_MAX; index++) {
    const code = body.charCodeAt(index)
    if (code === COMMA || code === BRACE || code === BRACKET) values++
  }
  return values > VALUES_MAX
}

const COMMA = 0x2c
const BRACE = 0x7b
const BRACKET = 0x5b

function whyNoJson(body: string): string {
  if (body === '') return 'is empty'
  if (body.startsWith('<')) return 'is a web page, not JSON'
  if (/^[{[]/.test(body) && !/[}\]]$/.test(body)) {
    return `is cut off after ${body.length} characters`
  }
  return 'is not JSON'
}
