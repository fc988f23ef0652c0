// Parses the words of a call by the definition of its command.
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { isEmailAddress } from '#rules/accounts/email-address.ts'
import { parseDate } from '#rules/primitives/days.ts'
import {
  type AnyCommand,
  type CommandDefinition,
  type CommandGroup,
  formatValue,
  type Input,
  type Parameter,
  type Parameters,
} from './definition.ts'

/** An invalid call of a command. The message states the mistake and the valid values. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A call with --help; `command` is the command whose help is requested. */
export type HelpRequest = { help: AnyCommand }

/**
 * Returns the arguments and options of a call.
 *
 * @throws UsageError for anything that the definition does not have
 */
export function parseInput<D extends CommandDefinition>(
  command: D,
  args: readonly string[],
): { input: Input<D> } | HelpRequest {
  const { positionals, options } = readWords(args, command.options)
  if (options.some(isHelp)) return { help: command }
  const given = new Map<string, unknown>()
  for (const option of options) putOption(given, command, option)
  putArguments(given, command, positionals)
  const parameters = { ...command.arguments, ...command.options }
  for (const [name, parameter] of Object.entries(parameters)) {
    if (given.has(name)) continue
    if (parameter.isRequired) throw new UsageError(`${describe(command, name)} is required.`)
    given.set(name, otherwise(parameter))
  }
  assertOne(command, given)
  // Every parameter of the definition now has a value of its declared kind.
  return { input: Object.fromEntries(given) as Input<D> }
}

/** Returns the command that the first words of a call select, and the other words. */
export function selectCommand(
  group: CommandGroup,
  args: readonly string[],
): { name: string; args: string[] } | HelpRequest {
  const commands = Object.entries(group.commands)
  const all = Object.assign({}, ...commands.map(([, { options }]) => options))
  const { positionals, options } = readWords(args, all)
  const words = positionals.map(({ value }) => value)
  const name = [words.slice(0, 2), words.slice(0, 1)]
    .map((some) => some.join(' '))
    .find((some) => Object.hasOwn(group.commands, some))
  if (name === undefined) {
    const ofGroup = commands.filter(([other]) => other.startsWith(`${words[0]} `))
    const near = ofGroup.length > 0 ? ofGroup : commands
    if (options.some(isHelp)) return { help: { ...group, commands: Object.fromEntries(near) } }
    const known = `Choose one of: ${near.map(([other]) => other).join(', ')}.`
    if (words.length === 0) {
      const unknown = options.find(({ name }) => !Object.hasOwn(all, name))
      const problem = unknown === undefined ? '' : `Unknown option ${unknown.rawName}. `
      throw new UsageError(`${problem}Name a command. ${known}`)
    }
    const isBegun = words.length === 1 && ofGroup.length > 0
    throw new UsageError(
      `${isBegun ? 'Incomplete' : 'Unknown'} command "${words.join(' ')}". ${known}`,
    )
  }
  const selecting = positionals.slice(0, name.split(' ').length).map(({ index }) => index)
  return { name, args: args.filter((_, index) => !selecting.includes(index)) }
}

type Positional = { index: number; value: string }
type GivenOption = { name: string; rawName: string; value: string | undefined; inline: boolean }

const isHelp = ({ name }: GivenOption) => name === 'help' || name === 'h'

function readWords(args: readonly string[], options: Parameters) {
  const known: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, { kind }]) => [
      name,
      { type: kind === 'flag' ? 'boolean' : 'string' },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options: known,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const positionals: Positional[] = []
  const found: GivenOption[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token)
    else if (token.kind === 'option') {
      found.push({ ...token, value: token.value, inline: token.inlineValue === true })
    }
  }
  return { positionals, options: found }
}

function putOption(
  given: Map<string, unknown>,
  command: CommandDefinition,
  { name, rawName, value, inline }: GivenOption,
): void {
  const option = Object.hasOwn(command.options, name) ? command.options[name] : undefined
  if (option === undefined || !rawName.startsWith('--')) {
    throw new UsageError(`Unknown option ${rawName}. ${listOptions(command)}`)
  }
  if (given.has(name)) throw new UsageError(`Give ${rawName} once.`)
  if (option.kind === 'flag') {
    if (inline) throw new UsageError(`${rawName} has no value.`)
    given.set(name, true)
    return
  }
  // A value may be negative, but `--email --json` lacks one.
  if (value === undefined || value === '' || (!inline && /^-\D/.test(value))) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${formatValue(option)}.`)
  }
  given.set(name, parseValue(rawName, option, value))
}

function putArguments(
  given: Map<string, unknown>,
  command: CommandDefinition,
  positionals: readonly Positional[],
): void {
  const known = Object.entries(command.arguments ?? {})
  const last = known.at(-1)
  const rest = command.isLastRepeated ? positionals.slice(known.length - 1) : []
  for (const [index, { value }] of positionals.entries()) {
    const [name, argument] = known[index] ?? []
    if (name === undefined || argument === undefined) {
      if (rest.length > 0) break
      throw new UsageError(`Unexpected argument "${value}". ${listArguments(command)}`)
    }
    if (value === '') throw new UsageError(`${name.toUpperCase()} must not be empty.`)
    given.set(name, parseValue(name.toUpperCase(), argument, value))
  }
  if (command.isLastRepeated && last !== undefined) {
    const [name, argument] = last
    given.set(
      name,
      rest.map(({ value }) => parseValue(name.toUpperCase(), argument, value)),
    )
  }
}

function parseValue(name: string, parameter: Parameter, text: string): string | number {
  switch (parameter.kind) {
    case 'choice':
      if (parameter.choices.includes(text)) return text
      throw wrongValue(name, `one of ${parameter.choices.join(', ')}`, text)
    case 'number':
      return parseNumber(name, parameter, text)
    case 'day': {
      const day = parseDate(text)
      if (day !== undefined) return day
      throw wrongValue(name, 'a date such as 2026-08-05', text)
    }
    case 'email':
      if (parameter.isNew === true ? isEmailAddress(text) : text.includes('@')) return text
      throw wrongValue(name, 'an e-mail address', text)
    default:
      return text
  }
}

function parseNumber(
  name: string,
  { min = 1, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number },
  text: string,
): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  throw wrongValue(name, `a whole number ${range}`, text)
}

function wrongValue(name: string, expected: string, text: string): UsageError {
  return new UsageError(`${name} must be ${expected}, not "${text}".`)
}

function otherwise(parameter: Parameter): unknown {
  if (parameter.kind === 'flag') return false
  return 'default' in parameter ? parameter.default : undefined
}

function assertOne(command: CommandDefinition, given: ReadonlyMap<string, unknown>): void {
  const { exactlyOne } = command
  if (exactlyOne === undefined) return
  const chosen = exactlyOne.filter(
    (name) => given.get(name) !== undefined && given.get(name) !== false,
  )
  if (chosen.length === 1) return
  const names = exactlyOne.map((name) => describe(command, name))
  throw new UsageError(`Give exactly one of ${names.join(', ')}.`)
}

/** Formats an argument as `DIR`, and an option with its value as `--set ID`. */
export function describe(command: CommandDefinition, name: string): string {
  const option = command.options[name]
  if (option === undefined) return name.toUpperCase()
  const value = formatValue(option)
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

function listOptions(command: CommandDefinition): string {
  const names = [...Object.keys(command.options), 'help'].map((name) => `--${name}`)
  return `Valid options: ${names.join(', ')}.`
}

function listArguments(command: CommandDefinition): string {
  const names = Object.keys(command.arguments ?? {}).map((name) => name.toUpperCase())
  return names.length === 0
    ? `"${command.name}" takes options only. ${listOptions(command)}`
    : `"${command.name}" takes ${names.join(' and ')}.`
}
