/** Files for GitHub: the workflows, and the templates of issues and pull requests. */
import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { findProgram } from './support/operations/find-program.ts'

const ROOT = resolve(import.meta.dir, '..')
const WORKFLOWS = [...new Bun.Glob('.github/workflows/*.yml').scanSync({ cwd: ROOT, dot: true })]
const FORMS = ['.github/ISSUE_TEMPLATE/bug.yml', '.github/ISSUE_TEMPLATE/proposal.yml']

const ACTIONLINT = findProgram('actionlint')
if (ACTIONLINT === undefined) {
  console.log(
    'actionlint is not installed: the workflows are not linted. "go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12" adds it.',
  )
}

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const text = WORKFLOWS.map(readText).join('\n')

describe('the workflows', () => {
  test.skipIf(ACTIONLINT === undefined)('are accepted by actionlint', () => {
    // Disables the script linters that it finds on some machines.
    const flags = ['-shellcheck=', '-pyflakes=', '-no-color']
    const { exitCode, stdout, stderr } = Bun.spawnSync({
      cmd: [ACTIONLINT ?? '', ...flags, ...WORKFLOWS],
      cwd: ROOT,
    })
    expect(`${stdout}${stderr}`).toBe('')
    expect(exitCode).toBe(0)
  })

  test('call actions at a fixed commit only', () => {
    const uses = [...text.matchAll(/^ +- ?uses: (.*)$|^ +uses: (.*)$/gm)].map(
      ([, step, job]) => step ?? job ?? '',
    )
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) {
      expect(action).toMatch(
        /^(\.\/\.github\/workflows\/\w+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/,
      )
    }
  })

  test('use the Bun of package.json, and commands that exist', () => {
    const calls = [...text.matchAll(/\bbun@(\S+) (?:run )?(\S+)/g)]
    expect(calls.map(([, version]) => version)).toEqual(calls.map(() => packageJson.engines.bun))
    const names = calls.map(([, , name]) => name)
    expect(names).toEqual(['install', 'release'])
    expect(existsSync(join(ROOT, '.ci/run'))).toBe(true)
    expect(Object.keys(packageJson.scripts)).toContain('release')
  })
})

/** An issue form as defined by GitHub. */
type Form = {
  name: string
  description: string
  labels: string[]
  body: { type: string; id?: string; attributes: Record<string, unknown> }[]
}

describe('an issue form', () => {
  test.each(FORMS)('%s has its name and fields that GitHub knows', (path) => {
    const form = Bun.YAML.parse(readText(path)) as Form
    expect(Object.keys(form).sort()).toEqual(['body', 'description', 'labels', 'name'])
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    for (const { type, id, attributes } of fields) {
      expect(['textarea', 'input', 'dropdown']).toContain(type)
      expect(id).toMatch(/^[a-z]+$/)
      expect(attributes.label).toEqual(expect.any(String))
      if (type === 'dropdown') expect(attributes.options).toEqual(expect.any(Array))
    }
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    const notes = form.body.filter(({ type }) => type === 'markdown')
    for (const { attributes } of notes) expect(attributes.value).toEqual(expect.any(String))
  })

  test('is the only way to open an issue', () => {
    const config = Bun.YAML.parse(readText('.github/ISSUE_TEMPLATE/config.yml'))
    expect(config).toEqual({ blank_issues_enabled: false })
    const files = [...new Bun.Glob('.github/ISSUE_TEMPLATE/*').scanSync({ cwd: ROOT, dot: true })]
    expect(files.sort()).toEqual([...FORMS, '.github/ISSUE_TEMPLATE/config.yml'].sort())
  })
})

test('commands and files that the templates name exist', () => {
  const templates = [...FORMS, '.github/pull_request_template.md'].map(readText).join('\n')
  const commands = [...templates.matchAll(/bun run (\w+)/g)].map(([, name = '']) => name)
  expect(commands).toContain('check')
  expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([])
  const files = [...templates.matchAll(/\b(?:[A-Z]+\.md|docs\/\w+(?:\.md)?)\b/g)].map(
    ([path]) => path,
  )
  expect(files).toContain('docs/changes.md')
  expect(files.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
