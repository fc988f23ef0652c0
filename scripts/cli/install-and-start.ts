import { join, resolve } from 'node:path'
import { showInstallProgress } from './install-progress.ts'

const ROOT = resolve(import.meta.dir, '../..')

/**
 * Installs the locked packages, showing progress, and replaces this process by the server with the sample. A new
 * process is needed, because this one has looked for the packages before they existed. No package needs its install
 * script.
 *
 * @param flags flags of Bun
 */
export async function installAndStart(...flags: string[]): Promise<void> {
  const showResult = showInstallProgress(ROOT)
  // Ctrl-C reaches both; `kill` only this process, which must not leave the other one behind. So it listens before the
  // other one begins.
  let exitCode: number | undefined
  for (const [signal, code] of SIGNALS) {
    process.on(signal, () => {
      exitCode = code
      install.kill(signal)
    })
  }
  const install = Bun.spawn({
    cmd: [process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'],
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [installCode, errors] = await Promise.all([
    install.exited,
    new Response(install.stderr).text(),
  ])
  showResult(installCode === 0 ? 'Installed the packages.' : 'The packages are not installed.')
  if (exitCode === undefined && installCode === 0) {
    const server = [join(ROOT, 'src/main.ts'), '--with-sample', '--attended']
    process.execve?.(process.execPath, [process.execPath, ...flags, ...server], process.env)
  }
  if (exitCode === undefined) process.stderr.write(`\n${explain(errors)}\n`)
  process.exit(exitCode ?? 1)
}

const SIGNALS = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** Returns the first lines of Bun, which prints one for each of several hundred packages, and a remedy. */
function explain(errors: string): string {
  const lines = errors.split('\n').filter(Boolean).slice(0, LINES_MAX)
  const [, remedy] = REMEDIES.find(([cause]) => cause.test(errors)) ?? [undefined, NO_REGISTRY]
  return `${lines.join('\n')}\n\n${remedy}, then run the command again.`
}

const LINES_MAX = 5

const REMEDIES: [cause: RegExp, remedy: string][] = [
  [
    /EACCES|EPERM|EROFS/,
    `This user cannot write to ${ROOT}. Give the folder to this user, with chown`,
  ],
  [/ENOSPC|EDQUOT/, 'The disk is full. Free some space'],
]

const NO_REGISTRY =
  'The packages could not be fetched. Check that this machine can reach the package registry, and HTTPS_PROXY if it needs a proxy'
