/** The part of JSON Schema that the API document uses. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  format?: string
  enum?: unknown[]
  default?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

/** Renders the declaration of a named schema as TypeScript. */
export function declareType(name: string, schema: Schema): string {
  return `${docComment(schema.description)}export type ${name} = ${renderType(schema)}`
}

/**
 * Renders a schema as a TypeScript type.
 *
 * @throws Error for a schema that it does not know
 */
export function renderType(schema: Schema): string {
  const { $ref, anyOf, allOf, items, type } = schema
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (allOf !== undefined) return allOf.map(renderType).join(' & ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(renderType))].join(' | ')
  if (Array.isArray(type))
    return type.map((one) => renderType({ ...schema, type: one })).join(' | ')
  if (items !== undefined && type === 'array') return renderArray(renderType(items))
  if (type === 'object') return renderObject(schema)
  const plain = schema.format === 'binary' ? 'Blob' : PRIMITIVE_TYPES[type ?? '']
  if (plain === undefined) throw new Error(`unsupported schema: ${JSON.stringify(schema)}`)
  return plain
}

function renderObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  if (typeof additionalProperties === 'object') {
    return `Record<string, ${renderType(additionalProperties)}>`
  }
  const members = Object.entries(properties).map(([name, one]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${docComment(one.description)}${name}${mark}: ${renderType(one)}`
  })
  if (additionalProperties === true) {
    if (members.length === 0) return 'Record<string, unknown>'
    members.push('[member: string]: unknown')
  }
  // The formatter keeps an object on one line only if it is written so.
  const isPlain = members.every((member) => !member.startsWith('/**'))
  return isPlain && members.length <= 4
    ? `{ ${members.join('; ')} }`
    : `{\n${members.join('\n')}\n}`
}

/** Renders a doc comment; empty without a text. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  if (text.length < 90 && !text.includes('\n')) return `/** ${text} */\n`
  const lines = Bun.wrapAnsi(text, 90).split('\n')
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
}

const PRIMITIVE_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function renderArray(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}
