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
  if (name.startsWith('#')) return posix.join('src', name.slice(1))
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined
}

export type Token = { at: number; kind: 'comment' | 'text' | 'pattern'; token: string }

/** Comments, strings and regular expressions, recognized by their shape: enough for formatted code. */
export function tokensOf(text: string): Token[] {
  const shapes =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|(?<=[=(,:;!&|?{}[\n]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\//g
  return [...text.matchAll(shapes)].map(({ index, 0: token }) => ({
    at: index,
    kind: /^\/[/*]/.test(token) ? 'comment' : token.startsWith('/') ? 'pattern' : 'text',
    token,
  }))
}

/** Replaces tokens by spaces, so that offsets stay; expressions in templates are kept. */
function mask(text: string, kinds: Token['kind'][]): string {
  let masked = text
  for (const { at, kind, token } of tokensOf(text).filter((token) => kinds.includes(token.kind))) {
    const blank = token.replaceAll(/(\$\{[^}]*\})|[^\n]/g, (_, hole?: string) =>
      kind === 'text' && hole !== undefined ? hole : ' '.repeat(hole?.length ?? 1),
    )
    masked = masked.slice(0, at) + blank + masked.slice(at + token.length)
  }
  return masked
}

export function codeOf(text: string): string {
  return mask(text, ['comment', 'text', 'pattern'])
}
