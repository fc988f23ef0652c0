// The text of --help, in one format for all commands.
import {
  type AnyCommand,
  type CommandDefinition,
  type CommandGroup,
  isGroup,
  type Parameters,
} from './definition.ts'
import { describe } from './parse.ts'
import { formatRows, wrap } from './text.ts'

/** Renders the help of a command. @param program the words before its name, such as `bun run` */
export function renderHelp(command: AnyCommand, program: string): string {
  return isGroup(command) ? renderGroup(command, program) : renderCommand(command, program)
}

/** Renders the help of a program with all its commands. */
export function renderProgramHelp(commands: readonly AnyCommand[], program: string): string {
  return join([
    `Usage: ${program} [COMMAND] [options]`,
    section(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    `For the options of a command, run for example: ${program} sync --help`,
  ])
}

/** Renders the usage line of a command, such as `bun run backup DIR [options]`. */
function renderUsage(command: AnyCommand, program: string): string {
  if (isGroup(command)) return `${program} ${command.name} COMMAND`
  const chosen = command.exactlyOne ?? []
  const args = Object.entries(command.arguments ?? {})
    .filter(([name]) => !chosen.includes(name))
    .map(([name, { isRequired }], index, all) => {
      const dots = command.isLastRepeated && index === all.length - 1 ? ' …' : ''
      return isRequired ? `${name.toUpperCase()}${dots}` : `[${name.toUpperCase()}${dots}]`
    })
  const one = chosen.map((name) => describe(command, name)).join(' | ')
  const required = Object.entries(command.options).flatMap(([name, { isRequired }]) =>
    isRequired ? [describe(command, name)] : [],
  )
  const words = [program, command.name, ...args, one && `(${one})`, ...required, '[options]']
  return words.filter(Boolean).join(' ')
}

function renderCommand(command: CommandDefinition, program: string): string {
  const options = { ...command.options, help: { kind: 'flag', about: 'show this help' } as const }
  const described = (parameters: Parameters) =>
    Object.entries(parameters).map(([name, parameter]) => {
      const otherwise = 'default' in parameter ? ` (default ${parameter.default})` : ''
      const label = parameter === options.help ? '--help' : describe(command, name)
      return [label, `${parameter.about}${otherwise}`] as const
    })
  return join([
    `Usage: ${renderUsage(command, program)}`,
    `${command.summary}.`,
    ...(command.details ?? '')
      .replaceAll('PROGRAM', program)
      .split('\n\n')
      .map((part) => wrap(part)),
    section('Arguments', described(command.arguments ?? {})),
    section('Options', described(options)),
    lines(
      'Examples',
      command.examples.map((example) => `${program} ${example}`),
    ),
  ])
}

function renderGroup({ name, summary, commands }: CommandGroup, program: string): string {
  const known = Object.entries(commands)
  const [[first = ''] = []] = known
  return join([
    `Usage: ${program} ${name} COMMAND`,
    `${summary}.`,
    section(
      'Commands',
      known.map(([words, { summary }]) => [words, summary]),
    ),
    `For the options of a command, run for example: ${program} ${name} ${first} --help`,
  ])
}

function join(parts: readonly string[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function section(title: string, rows: readonly (readonly [label: string, about: string])[]) {
  return rows.length === 0 ? '' : `${title}:\n${formatRows(rows)}`
}

function lines(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `  ${item}`)].join('\n')
}
