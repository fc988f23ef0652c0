import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dir, '../..')

/**
 * Installs the locked packages, printing the output only if that fails, and becomes the server with the
 * sample. A new program, because this one has looked for the packages before they existed. No package
 * needs its install script.
 *
 * @param flags flags of Bun
 */
export function installAndStart(...flags: string[]): void {
  if (process.stderr.isTTY) process.stderr.write('Installing the packages…\n')
  const { exitCode, stderr } = Bun.spawnSync({
    cmd: [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'],
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (exitCode === 0) {
    const command = [process.execPath, ...flags, join(ROOT, 'src/main.ts'), '--with-sample']
    process.execve?.(process.execPath, command, process.env)
  }
  const lines = stderr.toString().split('\n').filter(Boolean).slice(0, LINES_MAX)
  process.stderr.write(`${lines.join('\n')}\n\n${PROBLEM}\n`)
  process.exitCode = 1
}

/** Without the registry, Bun prints a line for each of several hundred packages. */
const LINES_MAX = 10

const PROBLEM =
  'The packages could not be installed. Check that this machine can reach the package registry and has free disk space, then run the command again.'
