/**
 * Finds in the code what each route uses: follows the functions that its declaration can reach through the routes and
 * actions. So a new route cannot be forgotten, and neither can a new use of an old one.
 */
import ts from 'typescript-5'
import { readSources, type Source } from './source-text.ts'

/** Something of which a server has little. */
export type Use = 'hash' | 'mail' | 'processor' | 'thread'

/** The ends of property chains that use it, such as `reader.read` in `deps.reader.read(photo)`. */
const CHAINS: Record<Use, RegExp> = {
  hash: /^(hasher|passwords|password)\.(hash|verify)$/,
  // Alerts and tests leave through the table of messages.
  mail: /^(mailer\.send|messages\.(create|markPending))$/,
  // A file that is rendered while it is sent.
  processor: /^file\.chunks$/,
  thread: /^(reader\.(read|cut)|triggers\.\w+\.(get|start)|import #vision\/.*)$/,
}

/** Modules whose functions use it. */
const MODULES: [Use, RegExp][] = [
  // Long work gives way to other requests.
  ['processor', /(^node:timers\/promises|\/cooperative-loop\.ts)$/],
  // Pixels are decoded in threads.
  ['thread', /^#vision\//],
]

/** A declared function or value, or a route: what it names. */
type Node = { path: string; names: Set<string>; chains: Set<string> }

/** Modules by the names that a file imports. */
type Imports = Map<string, string>

type File = { path: string; source: ts.SourceFile; imports: Imports }

/** Reads the code of routes, and all that they can reach. */
export async function listRouteSources(): Promise<Source[]> {
  return (await Promise.all(PATHS.map(readSources))).flat()
}

const SERVER = 'src/http/server.ts'
const PATHS = ['src/actions/**/*.ts', 'src/http/routes/**/*.ts', SERVER]

/** Returns what each route uses, by method and path as in the API document. */
export function findRouteUses(sources: readonly Source[]): Map<string, Set<Use>> {
  const files = sources.map(parse)
  const nodes = new Map<string, Node>()
  const routes = new Map<string, Node>()
  for (const file of files) {
    for (const [name, node] of declarationsOf(file)) nodes.set(`${file.path} ${name}`, node)
    for (const [name, node] of routesOf(file)) routes.set(name, node)
  }
  const server = new Map(files.filter(({ path }) => path === SERVER).flatMap(membersOf))
  const importsByPath = new Map(files.map(({ path, imports }) => [path, imports]))

  /** Returns the declaration that a name means in a file; a part of the server, if the file has no such name. */
  function resolve(path: string, name: string): Node | undefined {
    const module = importsByPath.get(path)?.get(name)
    return (
      nodes.get(`${module === undefined ? path : pathOf(path, module)} ${name}`) ?? server.get(name)
    )
  }

  function usesOf(node: Node, seen: Set<Node>): Set<Use> {
    if (seen.has(node)) return new Set()
    seen.add(node)
    const uses = ownUses(node, importsByPath.get(node.path))
    for (const name of node.names) {
      const next = resolve(node.path, name)
      if (next !== undefined) for (const use of usesOf(next, seen)) uses.add(use)
    }
    return uses
  }

  return new Map([...routes].map(([name, node]) => [name, usesOf(node, new Set())]))
}

/** Lists the parts of the server, with the functions of actions that create them. */
function membersOf({ source, imports }: File): [name: string, Node][] {
  const members: [string, Node][] = []
  visit(source, (one) => {
    if (!ts.isPropertyAssignment(one) || !ts.isCallExpression(one.initializer)) return
    const creator = one.initializer.expression.getText()
    const module = imports.get(creator)
    if (module === undefined) return
    members.push([
      one.name.getText(),
      { path: pathOf('', module), names: new Set([creator]), chains: new Set() },
    ])
  })
  return members
}

function ownUses({ names, chains }: Node, imports: Imports | undefined): Set<Use> {
  const uses = new Set<Use>()
  for (const [use, pattern] of Object.entries(CHAINS) as [Use, RegExp][]) {
    if ([...chains].some((chain) => pattern.test(chain))) uses.add(use)
  }
  for (const name of names) {
    const module = imports?.get(name)
    if (module === undefined) continue
    for (const [use, pattern] of MODULES) if (pattern.test(module)) uses.add(use)
  }
  return uses
}

function parse({ path, text }: Source): File {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: Imports = new Map()
  for (const statement of source.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
      continue
    const { importClause, moduleSpecifier } = statement
    const named = importClause?.namedBindings
    if (importClause?.isTypeOnly || named === undefined || !ts.isNamedImports(named)) continue
    for (const { isTypeOnly, name } of named.elements) {
      if (!isTypeOnly) imports.set(name.text, moduleSpecifier.text)
    }
  }
  return { path, source, imports }
}

/** Returns the path of a module of this repository, as a file imports it. */
function pathOf(from: string, module: string): string {
  if (module.startsWith('#')) return `src/${module.slice(1)}`
  return new URL(module, `file:///${from}`).pathname.slice(1)
}

/** Lists the functions and values at the top of a file, and those at the top of its functions. */
function declarationsOf({ path, source }: File): [name: string, Node][] {
  const blocks = source.statements.flatMap((statement) =>
    ts.isFunctionDeclaration(statement) ? [...(statement.body?.statements ?? [])] : [],
  )
  return [...source.statements, ...blocks].flatMap((statement): [string, Node][] => {
    if (ts.isFunctionDeclaration(statement)) {
      return statement.name === undefined ? [] : [[statement.name.text, read(path, statement)]]
    }
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap((one): [string, Node][] =>
      ts.isIdentifier(one.name) ? [[one.name.text, read(path, one)]] : [],
    )
  })
}

/** Lists the endpoints, pages and files that a file declares. */
function routesOf({ path, source }: File): [name: string, Node][] {
  const found: [string, Node][] = []
  visit(source, (call) => {
    if (!ts.isCallExpression(call)) return
    const [first] = call.arguments
    const name = first && routeName(call.expression.getText(source).split('.').at(-1), first)
    // The declaration in a function that declares several, each of which is found by itself.
    if (name !== undefined && name !== 'GET *') found.push([documentedName(name), read(path, call)])
  })
  return found
}

function routeName(callee: string | undefined, first: ts.Expression): string | undefined {
  if (callee === 'endpoint') return textOf(first)
  if (callee === 'mountPage') return `GET ${textOf(first)}`
  if (callee !== 'mount') return undefined
  if (!ts.isObjectLiteralExpression(first)) return `GET ${textOf(first)}`
  const member = (wanted: string) =>
    first.properties.find((one) => one.name?.getText() === wanted) as ts.PropertyAssignment
  return `${textOf(member('method').initializer)} ${textOf(member('path').initializer)}`
}

/** Returns the value of a string, with `*` for what it computes. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return '*'
  return node.head.text + node.templateSpans.map(({ literal }) => `*${literal.text}`).join('')
}

/** Returns a path with its parameters in braces. */
const documentedName = (name: string) => name.replaceAll(/:(\w+)/g, '{$1}')

/** Reads the names and property chains in a part of a file. */
function read(path: string, part: ts.Node): Node {
  const node: Node = { path, names: new Set(), chains: new Set() }
  visit(part, (one) => {
    if (ts.isIdentifier(one) && !isMemberName(one)) node.names.add(one.text)
    if (ts.isCallExpression(one) && one.expression.kind === ts.SyntaxKind.ImportKeyword) {
      node.chains.add(`import ${one.arguments[0] && textOf(one.arguments[0])}`)
    }
    if (ts.isPropertyAccessExpression(one)) {
      const chain = one
        .getText()
        .replaceAll(/[?!]|\(.*?\)/gs, '')
        .split('.')
      for (const length of [2, 3]) node.chains.add(chain.slice(-length).join('.'))
    }
    if (ts.isPropertyAssignment(one) && one.name.getText() === 'chunks')
      node.chains.add('file.chunks')
  })
  return node
}

/** Returns true for the name of a member, which does not refer to a declaration. */
function isMemberName({ parent, ...name }: ts.Identifier): boolean {
  const isOf = (named: ts.Node | undefined) => named?.pos === name.pos && named.end === name.end
  if (ts.isPropertyAccessExpression(parent)) return isOf(parent.name)
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) return isOf(parent.name)
  return ts.isBindingElement(parent) && isOf(parent.propertyName)
}

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}
