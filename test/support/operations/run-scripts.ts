// Runs scripts of package.json one after another in one process: loading their modules only once takes a tenth of the
// time. The process reads calls as JSON from its first argument, and prints each output and exit code as JSON, or
// exchanges these with its parent.
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../../..')

/** A script by its path in the repository, and its arguments. */
export type ScriptCall = { path: string; args: readonly string[] }

export type ScriptResult = { code: number; stdout: string; stderr: string }

/** Runs calls that end without waiting, such as invalid ones, in one new process. */
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

/** Starts a process that runs scripts on request, each with its own settings. */
export function startScripts(cwd = ROOT) {
  let answer = Promise.withResolvers<ScriptResult>()
  let isRunning = false
  const child = Bun.spawn([process.execPath, '--no-env-file', import.meta.path], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'inherit'],
    ipc: (result: ScriptResult) => answer.resolve(result),
    onExit: () => answer.reject(new Error('the process of the scripts has ended')),
  })
  return {
    /** Runs a script that reads no input, one at a time, because the output would be mixed. */
    async run(call: ScriptCall, env: Record<string, string>): Promise<ScriptResult> {
      if (isRunning) throw new Error('the process still runs another script')
      isRunning = true
      answer = Promise.withResolvers()
      child.send({ ...call, env })
      const result = await answer.promise
      isRunning = false
      return result
    },
    async close(): Promise<void> {
      answer.promise.catch(() => undefined)
      child.kill()
      await child.exited
    },
  }
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
  // A module runs once for each distinct specifier.
  await import(`${resolve(ROOT, path)}?${index}`).catch((error) => {
    if (error !== EXIT) throw error
  })
  return { ...result, code: Number(process.exitCode ?? 0) }
}

async function runAll(calls: readonly ScriptCall[]): Promise<void> {
  const { exit } = process
  const write = process.stdout.write.bind(process.stdout)
  const results: ScriptResult[] = []
  for (const [index, call] of calls.entries()) results.push(await runScript(call, index))
  write(JSON.stringify(results), () => exit(0))
}

function serve(): void {
  let index = 0
  process.on('message', async ({ env, ...call }: ScriptCall & { env: Record<string, string> }) => {
    for (const name of Object.keys(process.env)) delete process.env[name]
    Object.assign(process.env, env)
    process.send?.(await runScript(call, index++))
  })
}

if (import.meta.main) {
  const [, , calls] = process.argv
  if (calls === undefined) serve()
  else await runAll(JSON.parse(calls))
}
