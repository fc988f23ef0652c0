// Runs scripts of package.json one after the other, in one process: loading their modules once takes a tenth of the
// time. The process reads calls as JSON from its first argument, and prints as JSON what each has printed and its exit
// code.
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../../..')

/** A script, by its path in the repository, and the arguments of the call. */
export type ScriptCall = { path: string; args: readonly string[] }

export type ScriptResult = { code: number; stdout: string; stderr: string }

/** Runs calls that end without a pause, such as wrong ones, in one new process. */
export async function runScripts(
  calls: readonly ScriptCall[],
  env: Record<string, string> = {},
): Promise<ScriptResult[]> {
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', import.meta.path, JSON.stringify(calls)],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return JSON.parse(await new Response(child.stdout).text())
}

/** Thrown by `process.exit`, which would end the process. */
const EXIT = new Error('the script has ended')

async function runScript({ path, args }: ScriptCall, index: number): Promise<ScriptResult> {
  const result = { code: 0, stdout: '', stderr: '' }
  process.argv = [process.execPath, path, ...args]
  process.exitCode = undefined
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      result[name] += typeof text === 'string' ? text : new TextDecoder().decode(text)
      return true
    }
  }
  process.exit = () => {
    throw EXIT
  }
  // A module runs once for each of its names.
  await import(`${resolve(ROOT, path)}?${index}`).catch((error) => {
    if (error !== EXIT) throw error
  })
  return { ...result, code: Number(process.exitCode ?? 0) }
}

if (import.meta.main) {
  const { exit } = process
  const write = process.stdout.write.bind(process.stdout)
  const results: ScriptResult[] = []
  const calls: ScriptCall[] = JSON.parse(process.argv[2] ?? '[]')
  for (const [index, call] of calls.entries()) results.push(await runScript(call, index))
  write(JSON.stringify(results), () => exit(0))
}
