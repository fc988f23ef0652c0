import { homedir } from 'node:os'

/** Folders of `go install` and of `.ci/run`. */
const INSTALLED = ['go/bin', '.cache/cardstock-hadolint/bin'].map((path) => `${homedir()}/${path}`)

/**
 * Finds a program that a test starts. `.ci/run` lists folders in CHECK_PATH whose programs must not be on the PATH of
 * the commands under test.
 */
export function findProgram(name: string): string | undefined {
  const folders = [process.env.PATH, process.env.CHECK_PATH, ...INSTALLED]
  return Bun.which(name, { PATH: folders.filter(Boolean).join(':') }) ?? undefined
}
