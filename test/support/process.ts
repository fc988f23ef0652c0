/** Commands and scripts of the tree as separate processes. Those still running end with the tests. */
import { closeSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { atEnd } from './end-of-tests.ts'

/** Root folder of this repository. */
export const ROOT = resolve(import.meta.dir, '../..')

export type CommandOptions = {
  /** Settings in addition to PATH, HOME and TMPDIR; nothing else of the environment is passed. */
  env?: Record<string, string>
  cwd?: string
  /** Text for its stdin. */
  input?: string
  /** File to which its output is appended. */
  logFile?: string
}

export type TestProcess = ReturnType<typeof startCommand>

/** Starts a command, by default in the tree. */
export function startCommand(
  command: readonly string[],
  { env = {}, cwd = ROOT, input, logFile }: CommandOptions = {},
) {
  const log = logFile === undefined ? undefined : openSync(logFile, 'a')
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...setting('PATH'), ...setting('HOME'), ...setting('TMPDIR'), ...env },
    stdio: [input === undefined ? 'ignore' : new Blob([input]), log ?? 'pipe', log ?? 'pipe'],
  })
  if (log !== undefined) closeSync(log)
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
  const forget = atEnd(() => child.kill('SIGKILL'))
  const exited = Promise.all([child.exited, stdout.isRead, stderr.isRead]).then(() => {
    forget()
    return child.signalCode === null ? (child.exitCode ?? -1) : -1
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  return {
    pid: child.pid,
    /** Resolves with the exit code once all of its output is read; -1 after a signal. */
    exited,
    hasEnded,
    /** Its output so far; empty with a log file. */
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    /** Returns its complete output so far, or the log file. */
    output: () =>
      logFile === undefined ? stdout.text + stderr.text : readFileSync(logFile, 'utf8'),
    /** Waits until it has printed a text or has ended. */
    async hasPrinted(text: string): Promise<void> {
      while (!`${stdout.text}${stderr.text}`.includes(text) && !hasEnded()) await Bun.sleep(1)
    },
    signal: (name: NodeJS.Signals): void => child.kill(name),
    /** Requests its end. @returns the exit code */
    stop(): Promise<number> {
      child.kill('SIGTERM')
      return exited
    },
    /** Kills it like a power cut: nothing of it runs any more. @returns false if it had already ended */
    async kill(): Promise<boolean> {
      child.kill('SIGKILL')
      await exited
      return child.signalCode === 'SIGKILL'
    },
  }
}

export type ProcessOptions = CommandOptions & {
  args?: readonly string[]
  /** A module that runs first, for faults that clients cannot cause. */
  preload?: string
  /** Command that wraps it, such as one that sets a limit. */
  prefix?: readonly string[]
}

/** Starts a script by its path in the tree. */
export function startProcess(
  script: string,
  { args = [], preload, prefix = [], ...options }: ProcessOptions = {},
): TestProcess {
  const before = preload === undefined ? [] : ['--preload', preload]
  const program = [process.execPath, '--no-env-file', ...before, resolve(ROOT, script)]
  return startCommand([...prefix, ...program, ...args], options)
}

/** Waits until a program responds at a URL. @throws Error with its output if it ends before */
export async function waitUntilAnswering(program: TestProcess, url: string): Promise<void> {
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    if (program.hasEnded()) throw new Error(`it did not start: ${program.output()}`)
    await Bun.sleep(20)
  }
}

/** Runs a command to its end. */
export function runCommand(command: readonly string[], options?: CommandOptions) {
  return resultOf(startCommand(command, options))
}

/** Runs a script to its end. */
export function runProcess(script: string, options?: ProcessOptions) {
  return resultOf(startProcess(script, options))
}

async function resultOf({ exited, stdout, stderr }: TestProcess) {
  return { code: await exited, stdout: stdout(), stderr: stderr() }
}

function setting(name: string): Record<string, string> {
  const value = process.env[name]
  return value === undefined ? {} : { [name]: value }
}

/** Reads a stream continuously, because a full pipe would block the process. */
function collect(stream: unknown) {
  const collected = { text: '', isRead: Promise.resolve() }
  async function read(bytes: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for await (const chunk of bytes) collected.text += decoder.decode(chunk, { stream: true })
  }
  if (stream instanceof ReadableStream) collected.isRead = read(stream)
  return collected
}
