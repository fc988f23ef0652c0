/** The completions, in all shells that are installed here. */
import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import { renderCompletions } from '../../scripts/cli/completions.ts'
import { SERVICE_COMMANDS } from '../../scripts/cli/service-commands.ts'
import { ALL_COMMANDS } from '../../scripts/cli/tree-commands.ts'

const ROOT = resolve(import.meta.dir, '../..')

for (const shell of ['bash', 'zsh', 'fish']) {
  if (Bun.which(shell) === null) console.log(`${shell} is not installed: its tests are skipped.`)
}

/** Parts of a shell's completion system that only exist in a terminal. */
const PRELUDES = {
  bash: 'compopt() { :; }',
  zsh: 'compdef() { : }; compadd() { shift; print -l -- $@ }; _files() { print -l -- *(/) }; _describe() { print -l -- $entries }',
  fish: '',
}

/** Loads the completions of `bun run`, and runs a program of the shell. */
function run(shell: 'bash' | 'zsh' | 'fish', program: string, cwd = ROOT): string {
  const script = renderCompletions(shell, Object.values(ALL_COMMANDS), 'bun run')
  const { stdout, stderr } = Bun.spawnSync(
    [shell, '-c', `${PRELUDES[shell]}\n${script}\n${program}`],
    { cwd, env: { PATH: process.env.PATH ?? '', HOME: '/nowhere' } },
  )
  expect(stderr.toString()).toBe('')
  return stdout.toString()
}

/** Words, and each shell's proposals for the last one. */
const PROPOSALS: [words: string, proposed: string[]][] = [
  ['bun run sy', ['sync']],
  ['bun run sync --f', ['--force']],
  ['bun run export --format ', ['csv', 'json']],
  ['bun run admin account p', ['password']],
  ['bun run admin account create --tier st', ['starter']],
  ['bun run completions z', ['zsh']],
  ['bun run backup doc', ['docs']],
  ['bun run index --game ', []],
]

describe.skipIf(Bun.which('bash') === null)('Bash', () => {
  const propose = (words: string, cwd?: string) => {
    const list = words.split(' ').map((word) => `'${word}'`)
    const call = `COMP_WORDS=(${list.join(' ')}); COMP_CWORD=${list.length - 1}`
    const text = run('bash', `${call}; _cardstock; printf '%s\\n' "\${COMPREPLY[@]}"`, cwd)
    return text.split('\n').filter(Boolean)
  }

  test.each(PROPOSALS)('completes %p', (words, proposed) => {
    expect(propose(words)).toEqual(proposed)
  })

  test('leaves the scripts of other projects alone', () => {
    expect(propose('bun run sy', '/')).toEqual([])
  })
})

describe.skipIf(Bun.which('fish') === null)('Fish', () => {
  test.each(PROPOSALS)('completes %p', (words, proposed) => {
    const text = run('fish', `complete -C '${words}'`)
    const names = text.split('\n').map((line) => line.replace(/\/?\t.*/, ''))
    expect(names.filter(Boolean)).toEqual(proposed)
  })
})

describe.skipIf(Bun.which('zsh') === null)('Zsh', () => {
  test.each(PROPOSALS)('completes %p', (words, proposed) => {
    const list = words.split(' ').map((word) => `'${word}'`)
    const call = `words=(${list.join(' ')}) CURRENT=${list.length}; _cardstock`
    const names = run('zsh', call)
      .split('\n')
      .map((line) => line.replace(/:.*/, ''))
    // Zsh itself removes words that begin differently.
    const begun = names.filter(
      (name) => name !== '' && name.startsWith(words.split(' ').at(-1) ?? ''),
    )
    expect(begun).toEqual(proposed)
  })
})

test('the executable completes its own commands under its own name', () => {
  const commands = Object.values(SERVICE_COMMANDS)
  const bash = renderCompletions('bash', commands, 'cardstock')
  expect(bash).toEndWith('complete -F _cardstock cardstock\n')
  expect(bash).not.toContain('chaos')
  expect(renderCompletions('fish', commands, 'cardstock')).toContain('complete -c cardstock -n ')
  expect(renderCompletions('zsh', commands, 'cardstock')).toStartWith('#compdef cardstock\n')
})
