import type { TProperties, TSchema } from '@sinclair/typebox'
import type { PriceChoice } from '#rules/pricing/price-view.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { findSimilarParameter } from '#rules/search/similar-parameter.ts'
import { FIELDS, INCLUDE, INCLUDE_IDS, PRICE_CHOICE } from '../input/fields.ts'
import { readJson, unwrapJson } from './envelope.ts'
import { type Include, parseIncludes } from './included-members.ts'
import type { Answer } from './responses.ts'

/** Request options that change the answer of any endpoint. */
export type AnswerOptions = {
  /** Sentences about parameters that were ignored, for `meta.notes`. */
  notes: readonly string[]
  /** Members that the entries of the list keep; undefined for all. */
  members: readonly string[] | undefined
  /** Currency and source of the prices. */
  prices: PriceChoice
  /** Additional members that the request names. */
  includes: readonly Include[]
}

/** Applies the options to a JSON answer; files stay unchanged. */
export function applyOptions(
  answer: Answer,
  { notes, members }: Pick<AnswerOptions, 'notes' | 'members'>,
): Answer {
  if ('source' in answer || (notes.length === 0 && members === undefined)) return answer
  return {
    ...answer,
    ...(members !== undefined && { data: selectMembers(answer.data, members) }),
    ...(notes.length > 0 && { meta: { ...asObject(readJson(answer.meta)), notes } }),
  }
}

function asObject(meta: unknown): object {
  return typeof meta === 'object' && meta !== null ? meta : {}
}

/** Selects members of each entry. */
function selectMembers(data: unknown, members: readonly string[]): object[] {
  // The schema of an endpoint with `entryId` is an array of objects, which `form` requests.
  return (unwrapJson(data) as Record<string, unknown>[]).map((entry) => {
    const selected: Record<string, unknown> = {}
    for (const name of members) if (Object.hasOwn(entry, name)) selected[name] = entry[name]
    return selected
  })
}

/** Reads the options of an endpoint's requests. */
export type OptionReader = {
  /** Parameters of the endpoint, and those of its options. */
  query: TProperties
  /**
   * Separates the options of a request from the parameters of its endpoint.
   *
   * @param query the parsed query
   * @param unknown names of parameters that the endpoint does not have
   * @throws ServiceError VALIDATION_ERROR that names unknown members
   */
  read<Q extends object>(query: Q, unknown: readonly string[]): SeparatedQuery<Q>
}

type SeparatedQuery<Q> = { query: Q; options: AnswerOptions }

/**
 * Creates option readers for all endpoints. An unknown parameter is noted if it resembles one of the endpoint, or if
 * another endpoint has it. Others, such as tracking parameters, are ignored silently.
 */
export function createOptionReaders() {
  const everywhere = new Set<string>()

  return function createOptionReader(spec: {
    query?: TProperties
    reply?: TSchema
    entryId?: string
    hasPrices?: true
    includes?: readonly Include[]
  }): OptionReader {
    const { query: own = {}, reply, entryId, hasPrices, includes = [] } = spec
    const fields = entryId === undefined ? undefined : describeFields(reply, entryId)
    const options: TProperties = {
      ...(hasPrices && PRICE_CHOICE),
      ...(includes.length > 0 && { include: includes.includes('ids') ? INCLUDE_IDS : INCLUDE }),
      ...(fields && { fields: fields.schema }),
    }
    const query = { ...own, ...options }
    const hasOptions = Object.keys(options).length > 0
    const names = Object.keys(query)
    for (const name of names) everywhere.add(name)

    function noteOf(name: string): string | undefined {
      const meant = findSimilarParameter(name, names)
      const shown = `"${[...name].slice(0, NAME_SHOWN_MAX).join('')}"`
      if (meant !== undefined) return `${shown} is not a parameter and was ignored. Use "${meant}".`
      if (!everywhere.has(name)) return undefined
      return `${shown} is not a parameter of this endpoint and was ignored.`
    }

    function notesOf(unknown: readonly string[]): string[] {
      const notes = [...new Set(unknown)].flatMap((name) => noteOf(name) ?? [])
      return notes.slice(0, NOTES_MAX)
    }

    function separate<Q extends object>(query: Q, unknown: readonly string[]): SeparatedQuery<Q> {
      const noted = unknown.length === 0 ? NO_OPTIONS : { ...NO_OPTIONS, notes: notesOf(unknown) }
      if (!hasOptions) return { query, options: noted }
      const {
        fields: names,
        include,
        currency,
        source,
        ...own
      } = query as typeof query & OptionTexts
      return {
        // The endpoint does not declare the options, so its own query type does not contain them.
        query: own as unknown as typeof query,
        options: {
          ...noted,
          members: fields?.read(names),
          prices: { currency, source },
          includes: include === undefined ? [] : parseIncludes(include, includes),
        },
      }
    }

    let plain: { query: object; separated: SeparatedQuery<object> } | undefined

    return {
      query,
      read<Q extends object>(query: Q, unknown: readonly string[]) {
        // Requests without parameters have the same query, which is frozen.
        if (query === plain?.query) return plain.separated as SeparatedQuery<Q>
        const separated = separate(query, unknown)
        if (Object.isFrozen(query)) {
          Object.freeze(separated.query)
          plain = { query, separated }
        }
        return separated
      },
    }
  }
}

const NO_OPTIONS: AnswerOptions = { notes: [], members: undefined, prices: {}, includes: [] }

/** Parameters for options; an endpoint may have some of them. */
type OptionTexts = { fields?: string; include?: string; currency?: string; source?: string }

const NAME_SHOWN_MAX = 40
const NOTES_MAX = 10

/** Describes the parameter `fields` of a list of objects. */
function describeFields(list: TSchema | undefined, id: string) {
  const names = Object.keys(list?.items.properties)
  return {
    schema: FIELDS,
    read(text: string | undefined): readonly string[] | undefined {
      const wanted = new Set(splitList(text ?? ''))
      if (wanted.size === 0) return undefined
      // Prices and movers have a `card_id`, which is their id.
      const unknown = [...wanted].filter((name) => name !== 'id' && !names.includes(name))
      if (unknown.length > 0) throw unknownMembers(unknown, names)
      return names.filter((name) => name === id || wanted.has(name))
    },
  }
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function unknownMembers(unknown: readonly string[], names: readonly string[]): ServiceError {
  const shown = unknown
    .slice(0, 5)
    .map((name) => `"${[...name].slice(0, NAME_SHOWN_MAX).join('')}"`)
  return new ServiceError(
    'VALIDATION_ERROR',
    `"fields" has unknown members: ${shown.join(', ')}. Choose from ${names.join(', ')}.`,
  )
}
