// Source files as text, split into code, comments and strings by their shape.
import { posix, resolve } from 'node:path'

export type Source = { path: string; text: string }

const ROOT = resolve(import.meta.dir, '../..')

/**
 * Reads every file that matches a glob pattern, in the order of the paths. Skips packages, such as those of the peer
 * in `bench`.
 *
 * @throws Error if none matches, because rules about no files would always hold
 */
export async function readSources(pattern: string): Promise<Source[]> {
  const all = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: ROOT }))
  const paths = all.filter((path) => !path.includes('node_modules/'))
  if (paths.length === 0) throw new Error(`no file matches ${pattern}`)
  return Promise.all(
    paths.sort().map(async (path) => ({ path, text: await Bun.file(resolve(ROOT, path)).text() })),
  )
}

export type Import = {
  at: number
  name: string
  target: string | undefined
  typeOnly: boolean
  isWorker: boolean
}

/** Every import, re-export, dynamic import and worker file; `target` is the path of a file of this repository. */
export function importsOf({ path, text }: Source): Import[] {
  const code = mask(text, ['comment'])
  const found = code.matchAll(
    /(?:\b(?:from|import)|\b(?:import|require)\s*\(|\bnew URL\s*\()\s*(['"])([^'"\n]+)\1/g,
  )
  return [...found].map(({ index, 0: all, 2: name = '' }) => {
    const before = code.slice(0, index)
    const start = Math.max(before.lastIndexOf('import '), before.lastIndexOf('export '))
    return {
      at: index + all.length - 1,
      name,
      target: targetOf(path, name),
      isWorker: all.startsWith('new URL'),
      typeOnly: all.startsWith('from') && /^\w+\s+type\s/.test(before.slice(start)),
    }
  })
}

function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('#texts/')) return posix.join('src/web/texts/en', name.slice('#texts'.length))
  if (name.startsWith('#')) return posix.join('src', name.slice(1))
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined
}

export type Token = { at: number; kind: 'comment' | 'text' | 'pattern'; token: string }

/**
 * Comments, strings, templates and regular expressions by their shape: enough for formatted code. What may stand before a
 * regular expression is checked last, because looking back at every character takes ten times as long.
 */
const SHAPES =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\/(?<=[=(,:;!&|?{}[\n]\s*\/)(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g

/** The tokens of texts that were read before, because many rules read each file. */
const tokensByText = new Map<string, Token[]>()

export function tokensOf(text: string): Token[] {
  const tokens = tokensByText.get(text) ?? findTokens(text)
  tokensByText.set(text, tokens)
  return tokens
}

function findTokens(text: string): Token[] {
  return [...text.matchAll(SHAPES)].map(({ index, 0: token }) => ({
    at: index,
    kind: /^\/[/*]/.test(token) ? 'comment' : token.startsWith('/') ? 'pattern' : 'text',
    token,
  }))
}

/** Replaces tokens by spaces, so that offsets stay; expressions in templates are kept. */
function mask(text: string, kinds: readonly Token['kind'][]): string {
  const parts: string[] = []
  let end = 0
  for (const { at, kind, token } of tokensOf(text)) {
    if (!kinds.includes(kind)) continue
    parts.push(text.slice(end, at), kind === 'text' ? blankTemplate(token) : blank(token))
    end = at + token.length
  }
  return parts.join('') + text.slice(end)
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]+/g, (line) => ' '.repeat(line.length))
}

function blankTemplate(token: string): string {
  const parts = token.split(/(\$\{[^}]*\})/)
  return parts.map((part, index) => (index % 2 === 0 ? blank(part) : part)).join('')
}

export function codeOf(text: string): string {
  return mask(text, ['comment', 'text', 'pattern'])
}
