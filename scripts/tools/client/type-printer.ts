/** The part of JSON Schema that the API document uses. */
export type Schema = {
  type?: string
  description?: string
  format?: string
  const?: unknown
  default?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[] | undefined
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean
}

export type TypePrinter = {
  /** Returns the type of a schema: its name, if it has one. */
  render(schema: Schema): string
  /** Lists the declarations of the named types that were rendered, in order of first use. */
  declarations(): string[]
  /** Lists the names that were not rendered. */
  unused(): string[]
}

/** Renders schemas as TypeScript, and collects the named types that they use. */
export function createTypePrinter(named: Readonly<Record<string, Schema>>): TypePrinter {
  const names = new Map(Object.entries(named).map(([name, one]) => [JSON.stringify(one), name]))
  const bases = Object.values(named).sort((a, b) => memberKeys(b).size - memberKeys(a).size)
  const declared = new Map<string, string>()

  function render(schema: Schema): string {
    const name = names.get(JSON.stringify(schema))
    if (name === undefined) return renderUnnamed(schema)
    if (!declared.has(name)) {
      // Reserves its position, so that a type comes before the types it uses.
      declared.set(name, '')
      declared.set(
        name,
        `${docComment(schema.description)}export type ${name} = ${renderUnnamed(schema)}`,
      )
    }
    return name
  }

  function renderUnnamed(schema: Schema): string {
    const { anyOf, items } = schema
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (anyOf !== undefined) return [...new Set(anyOf.map(render))].join(' | ')
    if (items !== undefined) return renderArray(render(items))
    if (schema.type === 'object') return renderExtension(schema) ?? renderObject(schema)
    const plain = schema.format === 'binary' ? 'Blob' : PRIMITIVE_TYPES[schema.type ?? '']
    if (plain === undefined) throw new Error(`unsupported schema: ${JSON.stringify(schema)}`)
    return plain
  }

  /** Renders the largest named type that the schema contains, and its other members; undefined if it contains none. */
  function renderExtension(schema: Schema): string | undefined {
    const members = memberKeys(schema)
    const base = bases.find((one) => {
      const inner = memberKeys(one)
      return inner.size > 0 && inner.size < members.size && inner.isSubsetOf(members)
    })
    if (base === undefined) return undefined
    const isOwn = (name: string) => base.properties?.[name] === undefined
    const own = Object.entries(schema.properties ?? {}).filter(([name]) => isOwn(name))
    const rest = { required: schema.required?.filter(isOwn), properties: Object.fromEntries(own) }
    return `${render(base)} & ${render({ ...schema, ...rest })}`
  }

  function renderObject({ properties = {}, required = [], ...schema }: Schema): string {
    const [values] = Object.values(schema.patternProperties ?? {})
    if (values !== undefined) return `Record<string, ${render(values)}>`
    const members = Object.entries(properties).map(([name, one]) => {
      const isNeeded = required.includes(name) && one.default === undefined
      return `${docComment(describeMember(one, names))}${name}${isNeeded ? '' : '?'}: ${render(one)}`
    })
    if (schema.additionalProperties === true) {
      if (members.length === 0) return 'Record<string, unknown>'
      members.push('[member: string]: unknown')
    }
    // The formatter keeps an object on one line only if it is written so.
    const isPlain = members.every((member) => !member.startsWith('/**'))
    return isPlain && members.length <= 4
      ? `{ ${members.join('; ')} }`
      : `{\n${members.join('\n')}\n}`
  }

  return {
    render,
    declarations: () => [...declared.values()],
    unused: () => [...names.values()].filter((name) => !declared.has(name)),
  }
}

/** Renders a doc comment; empty without a text. */
export function docComment(text: string | undefined): string {
  if (text === undefined || text === '') return ''
  if (text.length < 90) return `/** ${text} */\n`
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

/** Returns each member with its whole schema, as text for comparison. */
function memberKeys({ properties = {}, required = [] }: Schema): ReadonlySet<string> {
  const members = Object.entries(properties)
  return new Set(members.map((member) => JSON.stringify([member, required.includes(member[0])])))
}

function renderArray(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

/** Returns the description of a member; for a nullable one, that of its other alternative. */
function describeMember(schema: Schema, names: ReadonlyMap<string, string>): string | undefined {
  // The declaration of a named type has its description.
  if (names.has(JSON.stringify(schema))) return undefined
  return schema.description ?? schema.anyOf?.find(({ description }) => description)?.description
}
