// Commands as data, from which parsing, help, error messages, shell completions and docs/reference/commands.md are
// derived. Nothing here may need a package, because the doctor and `check` run before any is installed.

type Described = {
  /** Without a period at the end. */
  about: string
  isRequired?: true
}

/** An argument or option; its key in the definition is its name. */
export type Parameter = Described &
  (
    | { kind: 'flag' }
    | { kind: 'text'; value: string; default?: string }
    | { kind: 'choice'; choices: readonly string[]; default?: string }
    /** A whole number of at least 1. */
    | { kind: 'number'; value?: string; min?: number; max?: number; default?: number }
    /** A date such as 2026-08-05, as days since 1 January 1970. */
    | { kind: 'day' }
    /** Address of an account, or one that has to be valid because it is new. */
    | { kind: 'email'; isNew?: true }
    | { kind: 'file' }
    | { kind: 'folder' }
  )

export type Parameters = Readonly<Record<string, Parameter>>

/** A command that runs. */
export type CommandDefinition = {
  /** Words after `bun run`, such as `admin account list`. */
  name: string
  /** A line without a period at the end. */
  summary: string
  /** Paragraphs. */
  details?: string
  /** In order; only the last one can be repeated. */
  arguments?: Parameters
  /** True if the last argument may be given several times or not at all; its value is a list. */
  isLastRepeated?: true
  options: Parameters
  /** Names of arguments and options of which one must be given. */
  exactlyOne?: readonly string[]
  /** Calls without `bun run`. */
  examples: readonly string[]
}

/** A command whose first words select another one. */
export type CommandGroup = {
  name: string
  summary: string
  /** By the words that select them, such as `account list`. */
  commands: Readonly<Record<string, CommandDefinition>>
}

export type AnyCommand = CommandDefinition | CommandGroup

type ValueOf<P extends Parameter> = P extends { kind: 'flag' }
  ? boolean
  : P extends { choices: readonly (infer Choice)[] }
    ? Choice
    : P extends { kind: 'number' | 'day' }
      ? number
      : string

type InputOf<P extends Parameter> = P extends
  | { kind: 'flag' }
  | { isRequired: true }
  | { default: string | number }
  ? ValueOf<P>
  : ValueOf<P> | undefined

type Inputs<Ps> = { [Name in keyof Ps]: Ps[Name] extends Parameter ? InputOf<Ps[Name]> : never }

type Last<Ps> = Ps extends Parameters ? ValueOf<Ps[keyof Ps]>[] : never

/** The parsed arguments and options of a command, by name. */
export type Input<D extends CommandDefinition> = Inputs<D['options']> &
  (D extends { isLastRepeated: true; arguments: infer Arguments }
    ? { [Name in keyof Arguments]: Last<Arguments> }
    : Inputs<D['arguments']>)

/** Returns a definition with its literal types, from which `Input` derives the types of the values. */
export function defineCommand<const D extends CommandDefinition>(definition: D): D {
  return definition
}

export function isGroup(command: AnyCommand): command is CommandGroup {
  return 'commands' in command
}

/** Formats a parameter's value for the help, such as `SLUG` or `csv|json`; undefined for a flag. */
export function formatValue(parameter: Parameter): string | undefined {
  switch (parameter.kind) {
    case 'flag':
      return undefined
    case 'choice':
      return parameter.choices.join('|')
    case 'text':
      return parameter.value
    case 'number':
      return parameter.value ?? 'N'
    default:
      return VALUES[parameter.kind]
  }
}

const VALUES = { day: 'DATE', email: 'EMAIL', file: 'FILE', folder: 'DIR' } as const

/** For commands that print text on a terminal. */
export const JSON_OPTION = {
  json: { kind: 'flag', about: 'print JSON on a terminal, too' },
} as const
