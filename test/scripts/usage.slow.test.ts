// The call of every command: its help, invalid calls, and their definitions.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import packageJson from '../../package.json' with { type: 'json' }
import { ADMIN } from '../../scripts/cli/admin-commands.ts'
import { EXPORT } from '../../scripts/cli/card-commands.ts'
import { RESTORE } from '../../scripts/cli/data-commands.ts'
import {
  type AnyCommand,
  type CommandDefinition,
  type CommandGroup,
  isGroup,
  type Parameter,
} from '../../scripts/cli/definition.ts'
import { renderHelp } from '../../scripts/cli/help.ts'
import { SYNC } from '../../scripts/cli/import-commands.ts'
import { parseInput, selectCommand } from '../../scripts/cli/parse.ts'
import { SERVICE_COMMANDS } from '../../scripts/cli/service-commands.ts'
import { ALL_COMMANDS, BENCH, CHAOS } from '../../scripts/cli/tree-commands.ts'
import {
  COMMAND_REFERENCE,
  renderCommandReference,
} from '../../scripts/tools/generate-command-reference.ts'
import {
  runScripts,
  type ScriptCall,
  type ScriptResult,
} from '../support/operations/run-scripts.ts'
import { runCommand } from '../support/process.ts'

/** Scripts that call a tool, which has its own help. */
const TOOLS = ['test', 'test:slow', 'types', 'lint', 'format']

const NAMES = Object.keys(packageJson.scripts).filter((name) => !TOOLS.includes(name))

const NONE = { code: -1, stdout: '', stderr: '' }
const SCRIPTS: Record<string, string> = packageJson.scripts

/** Runs a script of package.json in a separate process. */
function run(name: string, ...args: string[]) {
  const [, ...words] = SCRIPTS[name]?.split(' ') ?? []
  return runCommand([process.execPath, '--no-env-file', ...words, ...args])
}

/** Returns the command's words that the script of a name runs. */
const wordsOf = (name: string) => (name === 'admin' ? ['account', 'list'] : [])

/** Calls every script for its help and with a wrong option, all in one process. */
async function runAll(): Promise<Record<string, { help: ScriptResult; wrong: ScriptResult }>> {
  const calls = NAMES.flatMap((name): ScriptCall[] => {
    const path = SCRIPTS[name]?.split(' ').at(-1) ?? ''
    return [
      { path, args: ['--help'] },
      { path, args: [...wordsOf(name), '--frob'] },
    ]
  })
  const results = await runScripts(calls)
  return Object.fromEntries(
    NAMES.map((name, at) => {
      const [help, wrong] = results.slice(2 * at)
      if (help === undefined || wrong === undefined) throw new Error(`${name} did not run`)
      return [name, { help, wrong }]
    }),
  )
}

function select(group: CommandGroup, words: readonly string[]) {
  const selected = selectCommand(group, words)
  if ('help' in selected) throw new Error(`${words.join(' ')} selects no command`)
  return selected
}

const leaves = (commands: readonly AnyCommand[]): CommandDefinition[] =>
  commands.flatMap((command) => (isGroup(command) ? Object.values(command.commands) : [command]))

describe('every command', () => {
  test('of package.json has a definition, and every definition a script', () => {
    expect(Object.keys(ALL_COMMANDS).sort()).toEqual(NAMES.sort())
    for (const [name, command] of Object.entries(ALL_COMMANDS))
      expect<string>(command.name).toBe(name)
    for (const [words, command] of Object.entries(ADMIN.commands)) {
      expect<string>(command.name).toBe(`admin ${words}`)
    }
  })

  let results: Awaited<ReturnType<typeof runAll>>
  beforeAll(async () => {
    results = await runAll()
  })

  test.each(NAMES)('%s prints its help', (name) => {
    const { code, stdout, stderr } = results[name]?.help ?? {}
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toStartWith(`Usage: bun run ${name} `)
    if (name !== 'admin') expect(stdout).toMatch(/\nOptions:\n[\s\S]*--help[\s\S]*\nExamples:\n/)
  })

  test.each(NAMES)('%s names a wrong option and the valid ones', (name) => {
    const { code, stdout, stderr } = results[name]?.wrong ?? {}
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Unknown option --frob\. Valid options: (--[\w-]+, )*--help\.\n/)
    expect(stderr).toContain(`For usage, run: bun run ${[name, ...wordsOf(name)].join(' ')} --help`)
  })

  test.each(['check', 'doctor', 'admin', 'bench'])(
    '%s does the same in a separate process',
    async (name) => {
      expect(await run(name, '--help')).toEqual(results[name]?.help ?? NONE)
      expect(await run(name, ...wordsOf(name), '--frob')).toEqual(results[name]?.wrong ?? NONE)
    },
  )

  test.each(Object.entries(ADMIN.commands))(
    'admin %s has its help and names a wrong option',
    (words, command) => {
      const { args } = select(ADMIN, [...words.split(' '), '--help'])
      expect(parseInput(command, args)).toEqual({ help: command })
      expect(renderHelp(command, 'bun run')).toMatch(
        /^Usage: bun run admin [\s\S]*\nOptions:\n[\s\S]*--help[\s\S]*\nExamples:\n/,
      )
      const wrong = select(ADMIN, [...words.split(' '), '--frob'])
      expect(() => parseInput(command, wrong.args)).toThrow(
        /^Unknown option --frob\. Valid options: /,
      )
    },
  )

  test('has examples that its definition accepts', () => {
    for (const { examples, name } of leaves(Object.values(ALL_COMMANDS))) {
      expect(examples.length).toBeGreaterThan(0)
      for (const example of examples) {
        expect(example.startsWith(name)).toBe(true)
        const args =
          example
            .replace(/ [<>] .*/, '')
            .match(/"[^"]*"|\S+/g)
            ?.slice(1) ?? []
        const command = leaves(Object.values(ALL_COMMANDS)).find((one) => one.name === name)
        const own = args.slice(name.split(' ').length - 1)
        if (command !== undefined) expect(parseInput(command, own)).toHaveProperty('input')
      }
    }
  })

  test('describes itself in lines of at most 100 characters', () => {
    for (const command of [...Object.values(ALL_COMMANDS), ...leaves([ADMIN])]) {
      const lines = renderHelp(command, 'bun run').split('\n')
      const isExample = (line: string) => /^ {2}(bun run|\w+ {2})/.test(line)
      expect(lines.filter((line) => line.length > 100 && !isExample(line))).toEqual([])
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/)
    }
  })

  test('is in the reference word for word', async () => {
    const text = renderCommandReference()
    if (process.env.UPDATE_GOLDEN) await Bun.write(COMMAND_REFERENCE, text)
    expect(readFileSync(COMMAND_REFERENCE, 'utf8')).toBe(text)
  })
})

describe('an argument', () => {
  const mistakeOf = (command: CommandDefinition, ...args: string[]): string => {
    try {
      parseInput(command, args)
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
    throw new Error(`${args.join(' ')} is accepted`)
  }

  test.each<[CommandDefinition, string[], string]>([
    [SYNC, ['all'], 'Unexpected argument "all". "sync" takes options only.'],
    [SYNC, ['--set', 'x'], '--set must be a whole number of at least 1, not "x".'],
    [SYNC, ['--set', '-5'], '--set must be a whole number of at least 1, not "-5".'],
    [SYNC, ['--set'], '--set needs a value: --set ID.'],
    [SYNC, ['--game', '--json'], '--game needs a value: --game SLUG.'],
    [SYNC, ['--game', ''], '--game needs a value: --game SLUG.'],
    [SYNC, ['--game', 'a', '--game', 'b'], 'Give --game once.'],
    [SYNC, ['--force=yes'], '--force has no value.'],
    [SYNC, ['-f'], 'Unknown option -f. Valid options: --source, --game,'],
    [SYNC, ['--constructor'], 'Unknown option --constructor. Valid options:'],
    [EXPORT, [], 'Give exactly one of --set ID, --game SLUG, --all.'],
    [EXPORT, ['--all', '--set', '1'], 'Give exactly one of --set ID, --game SLUG, --all.'],
    [EXPORT, ['--all', '--format', 'xml'], '--format must be one of csv, json, not "xml".'],
    [RESTORE, ['/a', '--snapshot'], 'Give exactly one of DIR, --snapshot.'],
    [SERVICE_COMMANDS.backup, [], 'DIR is required.'],
    [SERVICE_COMMANDS.backup, [''], 'DIR must not be empty.'],
    [SERVICE_COMMANDS.backup, ['a', 'b'], 'Unexpected argument "b". "backup" takes DIR.'],
    [SERVICE_COMMANDS.seed, ['--cards', '5'], '--cards must be a whole number of at least 200'],
    [SERVICE_COMMANDS.seed, ['--until', '1.2.'], '--until must be a date such as 2026-08-05'],
    [CHAOS, ['order'], 'NAME must be one of money, alerts, quota,'],
    [BENCH, ['card', 'order'], 'NAME must be one of card, prices,'],
    [ADMIN.commands['account list'], ['--scans', '5'], 'Unknown option --scans. Valid options:'],
    [
      ADMIN.commands['account create'],
      ['--email', 'nope'],
      '--email must be an e-mail address, not "nope".',
    ],
    [
      ADMIN.commands['account create'],
      ['--email', '<ann@shop.example>'],
      '--email must be an e-mail address, not "<ann@shop.example>".',
    ],
    [
      ADMIN.commands.invite,
      ['--email', 'ann@shop.example>'],
      '--email must be an e-mail address, not "ann@shop.example>".',
    ],
    [
      ADMIN.commands['account tier'],
      ['--email', 'a@b.example', '--tier', 'gold'],
      '--tier must be one of free, hobby, starter, pro, business, not "gold".',
    ],
  ])('that is wrong is named: %#', (command, args, message) => {
    expect(mistakeOf(command, ...args)).toStartWith(message)
  })

  test('is parsed into its type, wherever its option stands', () => {
    expect(parseInput(SYNC, ['--set=12', '--force'])).toEqual({
      input: { source: 'mirror', set: 12, force: true, game: undefined, json: false },
    })
    const unset = { against: undefined, figures: undefined, record: undefined }
    expect(parseInput(BENCH, [])).toEqual({ input: { name: [], ...unset } })
    expect(parseInput(BENCH, ['card', 'search'])).toEqual({
      input: { name: ['card', 'search'], ...unset },
    })
    expect(selectCommand(ADMIN, ['--json', 'invite', '--email', 'account', 'revoke', '3'])).toEqual(
      { name: 'invite revoke', args: ['--json', '--email', 'account', '3'] },
    )
  })

  test('that selects no command is answered with those that exist', () => {
    expect(() => selectCommand(ADMIN, [])).toThrow(
      /^Name a command\. Choose one of: account create/,
    )
    expect(() => selectCommand(ADMIN, ['frob'])).toThrow(
      /^Unknown command "frob"\. Choose one of: /,
    )
    expect(() => selectCommand(ADMIN, ['--frob'])).toThrow(
      /^Unknown option --frob\. Name a command\. /,
    )
    expect(() => selectCommand(ADMIN, ['account'])).toThrow(
      /^Incomplete command "account"\. Choose one of: account create, /,
    )
    expect(() => selectCommand(ADMIN, ['account', 'remove'])).toThrow(
      'Unknown command "account remove". Choose one of: account create, account show, account list, account tier, account password, account operator, account delete.',
    )
  })

  test('of the commands of a group has the same kind wherever it has the same name', () => {
    const kinds = new Map<string, boolean>()
    for (const { options } of leaves([ADMIN])) {
      for (const [name, { kind }] of Object.entries<Parameter>(options)) {
        expect(kinds.get(name) ?? kind === 'flag').toBe(kind === 'flag')
        kinds.set(name, kind === 'flag')
      }
    }
  })
})

test('chaos without a name lists the runs and their purpose', async () => {
  const { code, stdout, stderr } = await run('chaos')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^ {2}money {4}\w[\s\S]*^ {2}alerts {3}\w/m)
})
