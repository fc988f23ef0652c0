import { type CompletionTable, type Paths, quote, renderRouteCase } from './completion-table.ts'

/** Renders completions for Bash 4 or later. */
export function renderBash({ program, routes, values }: CompletionTable): string {
  const [name = ''] = program
  const isOwn = program.length === 1
  const options = values.map(
    ({ option, words, paths }) => `    ${quote(option)}) ${propose(words, paths)}; return ;;`,
  )
  const cases = routes.map(({ route, entries, paths }) => {
    const words = entries.map(([word]) => word)
    return `    ${quote(route)}) ${propose(words, paths)} ;;`
  })
  return `# Completions of Cardstock for Bash.
${isOwn ? '' : OTHER}
_cardstock() {
${isOwn ? '' : DELEGATE}  local current="\${COMP_WORDS[COMP_CWORD]}" route= word
  for word in "\${COMP_WORDS[@]:${program.length}:COMP_CWORD-${program.length}}"; do
${renderRouteCase(routes, 'route="$route $word"')}
  done
  case "$route \${COMP_WORDS[COMP_CWORD-1]}" in
${options.join('\n')}
  esac
  case "$route" in
${cases.join('\n')}
  esac
}
complete -F _cardstock ${name}
`
}

function propose(words: readonly string[], paths: Paths): string {
  const lists = [
    ...(words.length > 0 ? [`compgen -W ${quote(words.join(' '))} -- "$current"`] : []),
    ...(paths === 'file' ? ['compgen -f -- "$current"'] : []),
    ...(paths === 'folder' ? ['compgen -d -- "$current"'] : []),
  ]
  if (lists.length === 0) return 'COMPREPLY=()'
  // A name may contain spaces, so each line is one word.
  const reply = `mapfile -t COMPREPLY < <(${lists.join('; ')})`
  return paths === undefined ? reply : `compopt -o filenames; ${reply}`
}

/** Bun's own completions, for other projects and for commands other than \`run\`. */
const OTHER = `_cardstock_other=$(complete -p bun 2>/dev/null | sed -n 's/.*-F \\([^ ]*\\) .*/\\1/p')
[[ $_cardstock_other == _cardstock ]] && _cardstock_other=`

const DELEGATE = `  if [[ \${COMP_WORDS[1]} != run || COMP_CWORD -lt 2 ]] || ! grep -qs '"name": "cardstock"' package.json; then
    [[ -n $_cardstock_other ]] && "$_cardstock_other" "$@"
    return
  fi
`
