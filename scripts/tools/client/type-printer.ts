/** A JSON schema, as far as the shapes of our document use it. */
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

/** Writes schemas as types, and remembers which of the named ones it met. */
export function createTypePrinter(named: Readonly<Record<string, Schema>>) {
  const names = new Map(Object.entries(named).map(([name, one]) => [JSON.stringify(one), name]))
  const bases = Object.values(named).sort((a, b) => memberKeys(b).size - memberKeys(a).size)
  const declared = new Map<string, string>()

  /** The type of a value: its name where it has one. */
  function render(schema: Schema): string {
    const name = names.get(JSON.stringify(schema))
    if (name === undefined) return written(schema)
    if (!declared.has(name)) {
      // Its place is taken first, so that a type stands before those that it is made of.
      declared.set(name, '')
      declared.set(
        name,
        `${docComment(schema.description)}export type ${name} = ${written(schema)}`,
      )
    }
    return name
  }

  function written(schema: Schema): string {
    const { anyOf, items } = schema
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (anyOf !== undefined) return [...new Set(anyOf.map(render))].join(' | ')
    if (items !== undefined) return renderArray(render(items))
    if (schema.type === 'object') return extended(schema) ?? objectOf(schema)
    const plain = schema.format === 'binary' ? 'Blob' : PRIMITIVE_TYPES[schema.type ?? '']
    if (plain === undefined) throw new Error(`no type is known for ${JSON.stringify(schema)}`)
    return plain
  }

  /** As the largest of the named types that is in it, and what it has beyond that. */
  function extended(schema: Schema): string | undefined {
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

  function objectOf({ properties = {}, required = [], ...schema }: Schema): string {
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
    // The formatter leaves an object on one line only where it was written so.
    const isPlain = members.every((member) => !member.startsWith('/**'))
    return isPlain && members.length <= 4
      ? `{ ${members.join('; ')} }`
      : `{\n${members.join('\n')}\n}`
  }

  return {
    typeOf: render,
    /** The named types that were met, in that order. */
    declarations: () => [...declared.values()],
    /** The names that were not. */
    unused: () => [...names.values()].filter((name) => !declared.has(name)),
  }
}

/** A doc comment in front of what it is about; nothing where there is nothing to say. */
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

/** Its members, each with all that is said of it. */
function memberKeys({ properties = {}, required = [] }: Schema): ReadonlySet<string> {
  const members = Object.entries(properties)
  return new Set(members.map((member) => JSON.stringify([member, required.includes(member[0])])))
}

function renderArray(type: string): string {
  return / [|&] /.test(type) && !type.startsWith('{') ? `(${type})[]` : `${type}[]`
}

/** What is said of a member; of one that may be null it is said of what else it is. */
function describeMember(schema: Schema, names: ReadonlyMap<string, string>): string | undefined {
  // What has a name is described there.
  if (names.has(JSON.stringify(schema))) return undefined
  return schema.description ?? schema.anyOf?.find(({ description }) => description)?.description
}
