import {
  type CompletionTable,
  type Entry,
  type Paths,
  quote,
  renderRouteCase,
} from './completion-table.ts'

/** Renders completions for Zsh, after its \`compinit\`. */
export function renderZsh({ program, routes, values }: CompletionTable): string {
  const [name = ''] = program
  const isOwn = program.length === 1
  const options = values.map(({ option, words, paths }) => {
    const choices = words.length === 0 ? [] : [`compadd -- ${words.join(' ')}`]
    return `    ${quote(option)}) ${[...choices, ...listPaths(paths), 'return'].join('; ')} ;;`
  })
  const cases = routes.map(({ route, entries, paths }) => {
    const list = `entries=(${entries.map(formatEntry).join(' ')})`
    return `    ${quote(route)}) ${[list, ...listPaths(paths)].join('; ')} ;;`
  })
  return `#compdef ${name}
# Completions of Cardstock for Zsh.
${isOwn ? '' : OTHER}
_cardstock() {
${isOwn ? '' : DELEGATE}  local route= word
  local -a entries
  for word in "\${(@)words[${program.length + 1},CURRENT-1]}"; do
${renderRouteCase(routes, 'route="$route $word"')}
  done
  case "$route \${words[CURRENT-1]}" in
${options.join('\n')}
  esac
  case "$route" in
${cases.join('\n')}
  esac
  _describe 'Cardstock' entries
}
compdef _cardstock ${name}
`
}

function listPaths(paths: Paths): string[] {
  if (paths === undefined) return []
  return [paths === 'folder' ? '_files -/' : '_files']
}

function formatEntry([word, about]: Entry): string {
  return quote(`${word.replaceAll(':', '\\:')}:${about}`)
}

/** Bun's own completions, for other projects and for commands other than \`run\`. */
const OTHER = `_cardstock_other=\${_comps[bun]:-}
[[ $_cardstock_other == _cardstock ]] && _cardstock_other=`

const DELEGATE = `  if [[ \${words[2]} != run || CURRENT -lt 3 ]] || ! grep -qs '"name": "cardstock"' package.json; then
    [[ -n $_cardstock_other ]] && $_cardstock_other "$@"
    return
  fi
`
