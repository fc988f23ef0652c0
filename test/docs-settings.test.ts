/** Settings: the example and the reference page list each setting that the code reads, with its default. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Config, readConfig } from '#config.ts'
import { listRows, readDocument } from './support/operations/documents.ts'

const ROOT = join(import.meta.dir, '..')

describe('settings', () => {
  const read = variablesRead(
    ['src/config.ts', ...new Bun.Glob('src/config/*.ts').scanSync({ cwd: ROOT })]
      .map(readDocument)
      .join('\n'),
  )

  test.each([
    ['.env.example', variablesNamed(readDocument('.env.example'))],
    [
      'docs/reference/configuration.md',
      variablesInTables(readDocument('docs/reference/configuration.md')),
    ],
  ])('%s lists every variable that the settings are read from, and no other', (_, named) => {
    expect({
      missing: read.filter((variable) => !named.some((name) => covers(variable, name))),
      unknown: named.filter((name) => !read.some((variable) => covers(variable, name))),
    }).toEqual({ missing: [], unknown: [] })
  })

  test('are found in every notation', () => {
    const code = `env.PORT ?? env['HOST'] ?? read.flag('DEBUG') ?? env[\`PRICE_\${plan}\`] ?? 'GET'`
    expect(variablesRead(code)).toEqual(['PORT', 'HOST', 'DEBUG', 'PRICE_*'])
    expect(variablesNamed('PORT=1\n# HOST=a\n# The port, as in PORT=1.\n')).toEqual([
      'PORT',
      'HOST',
    ])
    expect(variablesInTables('| `A`, `B_C` | `D` | `E` |\n`F`')).toEqual(['A', 'B_C'])
    expect(covers('PRICE_*', 'PRICE_PRO')).toBe(true)
    expect(covers('PRICE', 'PRICE_PRO')).toBe(false)
  })
})

describe('docs/reference/configuration.md', () => {
  const page = 'docs/reference/configuration.md'
  const defaults = listRows(page, /^`[A-Z]/).flatMap(
    ([names = '', value = '']): [string, string][] => {
      // A file in the data folder, whose path differs between environments.
      const [, stated] = /^`((?!DATA_DIR)[^`]+)`$/.exec(value) ?? []
      const known = [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      return stated === undefined ? [] : known.map((name) => [name, stated])
    },
  )

  test('states the defaults of many settings', () => {
    expect(defaults.length).toBeGreaterThan(25)
  })

  test.each(defaults)('%s: %s is the default', (name, value) => {
    const stated = value.replace('PORT', '3000')
    expect(settingsOf({ [name]: stated })).toEqual(settingsOf({}))
  })

  /** Returns the settings as text, with those that others require. */
  function settingsOf(env: Record<string, string>): string {
    return JSON.stringify(readConfig({ ...REQUIRED, ...env }) satisfies Config)
  }
})

/** Settings without which others may not be set. */
const REQUIRED = {
  LEDGER_URL: 'postgres://user:password@db.example/cardstock',
  APP_SECRET: 's'.repeat(32),
  SNAPSHOTS_URL: 's3://cards/shop',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'key',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  X402_PAY_TO: `0x${'12'.repeat(20)}`,
  X402_FACILITATOR_URL: 'https://facilitator.example',
  SMTP_URL: 'smtp://mail.example',
  MAIL_FROM: 'Cards <cards@shop.example>',
  OIDC_ISSUER: 'https://id.example',
  OIDC_CLIENT_ID: 'cardstock',
  OIDC_CLIENT_SECRET: 'secret',
}

/** Returns the variables of `env.A`, `env['A']` and `integer('A', …)`; a composed name gives `A_*`. */
function variablesRead(code: string): string[] {
  const reads = code.matchAll(
    /\benv\.([A-Z][A-Z0-9_]*)|\b(?:env\[|\w+\()\s*(?:'([A-Z][A-Z0-9_]*)'|`([A-Z][A-Z0-9_]*)\$\{)/g,
  )
  const names = [...reads].map(([, member, name, start]) =>
    start === undefined ? (member ?? name ?? '') : `${start}*`,
  )
  return [...new Set(names)]
}

/** Returns the variables of lines `A=…`, with or without a comment sign. */
function variablesNamed(text: string): string[] {
  return [...text.matchAll(/^#? ?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
}

/** Returns the code in the first cell of each table row. */
function variablesInTables(text: string): string[] {
  const cells = text.match(/^\| `[A-Z][^|]*/gm) ?? []
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

function covers(variable: string, name: string): boolean {
  return variable.endsWith('*') ? name.startsWith(variable.slice(0, -1)) : name === variable
}
