import type { CompletionTable, Paths } from './completion-table.ts'

/** Renders completions for Fish. They are added to those that Bun has. */
export function renderFish({ program, routes, values }: CompletionTable): string {
  const [name = '', ...before] = program
  const known = routes.filter(({ route }) => route !== '').map(({ route }) => quote(route))
  const rules = routes.flatMap(({ route, entries, paths }) => [
    ...entries
      .filter(([word]) => !word.startsWith('--'))
      .map(([word, about]) => rule(name, route, `-a ${quote(word)} -d ${quote(about)}`)),
    ...entries
      .filter(([word]) => word.startsWith('--'))
      .map(([word, about]) => {
        const value = values.find(({ option }) => option === `${route} ${word}`)
        const ofValue = value === undefined ? '' : ` ${formatValues(value)}`
        return rule(name, route, `-l ${word.slice(2)} -d ${quote(about)}${ofValue}`)
      }),
    ...(paths === undefined ? [] : [rule(name, route, formatPaths(paths))]),
  ])
  return `# Completions of Cardstock for Fish.
function __cardstock_at
  set -l words (commandline -opc)
${before.length === 0 ? '' : OWN_PROJECT}  set -l route ''
  for word in $words[${program.length + 1}..]
    switch "$route $word"
      case ${known.join(' ')}
        set route "$route $word"
    end
  end
  test "$route" = "$argv[1]"
end
${rules.join('\n')}
`
}

/** The list of commands follows the program without a file. */
function rule(name: string, route: string, what: string): string {
  const files = what.includes('-F') ? '' : ' -f'
  return `complete -c ${name} -n ${quote(`__cardstock_at ${quote(route)}`)}${files} ${what}`
}

function formatValues({ words, paths }: { words: readonly string[]; paths: Paths }): string {
  if (words.length > 0) return `-x -a ${quote(words.join(' '))}`
  return paths === undefined ? '-x' : `-r ${formatPaths(paths)}`
}

function formatPaths(paths: NonNullable<Paths>): string {
  return paths === 'folder' ? "-x -a '(__fish_complete_directories)'" : '-F'
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

const OWN_PROJECT = `  test "$words[2]" = run; and grep -qs '"name": "cardstock"' package.json; or return 1
`
