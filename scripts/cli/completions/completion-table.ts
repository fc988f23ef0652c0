import { type AnyCommand, type CommandDefinition, isGroup, type Parameter } from '../definition.ts'

/** A possible next word, and its description. */
export type Entry = readonly [word: string, about: string]

/** Kind of paths that can follow. */
export type Paths = 'file' | 'folder' | undefined

/** Words that can follow a route, the words of a command such as ` admin account create`. */
export type RouteEntries = { route: string; entries: Entry[]; paths: Paths }

/** Values that can follow an option, with its route in front; `words` is empty if any text can. */
export type OptionValues = { option: string; words: readonly string[]; paths: Paths }

export type CompletionTable = {
  /** Words before a command: the program, and for Bun `run`. */
  program: readonly string[]
  routes: RouteEntries[]
  values: OptionValues[]
}

/** Lists what can follow each word of each command. */
export function createCompletionTable(
  commands: readonly AnyCommand[],
  program: string,
): CompletionTable {
  const routes = new Map<string, RouteEntries>()
  const values: OptionValues[] = []
  const openRoute = (route: string) => {
    const known = routes.get(route) ?? { route, entries: [], paths: undefined }
    routes.set(route, known)
    return known
  }
  const addWord = (route: string, entry: Entry) => {
    const { entries } = openRoute(route)
    if (!entries.some(([word]) => word === entry[0])) entries.push(entry)
  }
  const addCommand = (command: CommandDefinition) => {
    const words = command.name.split(' ')
    for (const [index, word] of words.entries()) {
      const route = words.slice(0, index).map((one) => ` ${one}`)
      const isLast = index === words.length - 1
      addWord(route.join(''), [word, isLast ? command.summary : `${word} …`])
    }
    const route = ` ${command.name}`
    for (const argument of Object.values(command.arguments ?? {})) {
      for (const word of choicesOf(argument)) addWord(route, [word, argument.about])
      openRoute(route).paths ??= pathsOf(argument)
    }
    for (const [name, option] of Object.entries(command.options)) {
      addWord(route, [`--${name}`, option.about])
      if (option.kind === 'flag') continue
      values.push({
        option: `${route} --${name}`,
        words: choicesOf(option),
        paths: pathsOf(option),
      })
    }
    addWord(route, ['--help', 'show the help'])
  }
  for (const command of commands) {
    if (!isGroup(command)) addCommand(command)
    else {
      addWord('', [command.name, command.summary])
      for (const one of Object.values(command.commands)) addCommand(one)
      addWord(` ${command.name}`, ['--help', 'show the help'])
    }
  }
  return { program: program.split(' '), routes: [...routes.values()], values }
}

function choicesOf(parameter: Parameter): readonly string[] {
  return parameter.kind === 'choice' ? parameter.choices : []
}

function pathsOf({ kind }: Parameter): Paths {
  return kind === 'file' || kind === 'folder' ? kind : undefined
}

/** Quotes a text for a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Renders a `case` that appends words to the route as long as they belong to a command. */
export function renderRouteCase(routes: readonly RouteEntries[], append: string): string {
  const known = routes.filter(({ route }) => route !== '').map(({ route }) => quote(route))
  return `    case "$route $word" in\n      ${known.join(' | ')}) ${append} ;;\n    esac`
}
