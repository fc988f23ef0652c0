/** The signature checks in the alerts guide accept genuine deliveries and reject forged ones, in each language. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatAlertBody, messageId } from '#rules/alerts/alert-message.ts'
import {
  generateSigningSecret,
  type SignedHeaders,
  signedHeaders,
} from '#rules/alerts/webhook-signature.ts'
import { findProgram } from './support/operations/find-program.ts'

const GUIDE = readFileSync(join(import.meta.dir, '../docs/guides/alerts/alerts.md'), 'utf8')

/** A delivery as received, with the receiver's secret. */
type Received = { secret: string; headers: Partial<SignedHeaders>; body: string }
type Verdict = { genuine: boolean; first: boolean }

/** The driver reads deliveries from its input and prints the snippet's results. */
type Language = {
  name: string
  fence: string
  file: string
  driver: string
  main: string
  /** Compiled first, so that deliveries are signed right before they are verified. */
  build?: string[]
  run: string[]
}

const LANGUAGES: Language[] = [
  {
    name: 'TypeScript',
    fence: 'ts',
    file: 'verify.ts',
    main: 'main.ts',
    driver: `import { isFirstDelivery, verifySignature } from './verify.ts'
const results = (await Bun.stdin.json()).map(({ secret, headers: init, body }) => {
  const headers = new Headers(init)
  const genuine = verifySignature(secret, headers, body)
  return { genuine, first: genuine && isFirstDelivery(headers) }
})
console.log(JSON.stringify(results))`,
    run: [process.execPath, 'main.ts'],
  },
  {
    name: 'Python',
    fence: 'python',
    file: 'verify.py',
    main: 'main.py',
    driver: `import json, sys
from verify import is_first_delivery, verify_signature
results = []
for delivery in json.load(sys.stdin):
    headers = delivery["headers"]
    genuine = verify_signature(delivery["secret"], headers, delivery["body"].encode())
    results.append({"genuine": genuine, "first": genuine and is_first_delivery(headers)})
print(json.dumps(results))`,
    run: ['python3', 'main.py'],
  },
  {
    name: 'Go',
    fence: 'go',
    file: 'verify.go',
    main: 'main.go',
    driver: `package main

import (
	"encoding/json"
	"os"
)

func main() {
	var deliveries []struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&deliveries); err != nil {
		panic(err)
	}
	results := []map[string]bool{}
	for _, delivery := range deliveries {
		header := func(name string) string { return delivery.Headers[name] }
		genuine := VerifySignature(delivery.Secret, header, []byte(delivery.Body))
		results = append(results, map[string]bool{"genuine": genuine, "first": genuine && IsFirstDelivery(header)})
	}
	_ = json.NewEncoder(os.Stdout).Encode(results)
}`,
    build: ['go', 'build', '-o', 'main', 'verify.go', 'main.go'],
    run: ['./main'],
  },
]

const [secret, other] = [generateSigningSecret(randomBytes), generateSigningSecret(randomBytes)]

const BODY = formatAlertBody(
  {
    card_id: 900401,
    card_name: 'Pokémon “🃏”, T.S.V.',
    condition: 'below',
    threshold: 1250,
    price: 1210,
  },
  new Date(),
)

const soon = (seconds: number) => new Date(Date.now() + seconds * 1_000)

function message({ secrets = [secret], at = new Date(), body = BODY } = {}): Received {
  const headers = signedHeaders(secrets, { id: messageId(Bun.randomUUIDv7()), at, body })
  return { secret, headers, body }
}

function changed(header: keyof SignedHeaders, change: (value: string) => string | undefined) {
  const { headers, ...rest } = message()
  const value = change(headers[header] ?? '')
  const { [header]: _, ...others } = headers
  return { ...rest, headers: value === undefined ? others : { ...others, [header]: value } }
}

const signature = 'webhook-signature'

const GENUINE: [string, () => Received][] = [
  ['unchanged', () => message()],
  ['sent four minutes ago', () => message({ at: soon(-240) })],
  ['from a clock that is four minutes ahead', () => message({ at: soon(240) })],
  [
    'signed with the new and the old secret, at a receiver with the old one',
    () => message({ secrets: [other, secret] }),
  ],
  [
    'signed with both secrets, at a receiver with the new one',
    () => message({ secrets: [secret, other] }),
  ],
  [
    'with a signature of another version beside it',
    () => changed(signature, (value) => `v1a,AAAA ${value}`),
  ],
  ['with an empty object as its body', () => message({ body: '{}' })],
]

const FORGED: [string, () => Received][] = [
  ['with another price', () => ({ ...message(), body: BODY.replace('12.1', '12.2') })],
  ['with an additional space', () => ({ ...message(), body: `${BODY} ` })],
  ['without a body', () => ({ ...message(), body: '' })],
  ['with another id', () => changed('webhook-id', (value) => `${value}0`)],
  ['with another time', () => changed('webhook-timestamp', (value) => String(Number(value) + 1))],
  ['with an invalid time', () => changed('webhook-timestamp', () => '1e9')],
  ['without an id', () => changed('webhook-id', () => undefined)],
  ['without a time', () => changed('webhook-timestamp', () => undefined)],
  ['without a signature', () => changed(signature, () => undefined)],
  ['with an empty signature', () => changed(signature, () => '')],
  ['with a truncated signature', () => changed(signature, (value) => value.slice(0, -1))],
  [
    'with a signature of another version',
    () => changed(signature, (value) => value.replace('v1,', 'v2,')),
  ],
  ['with a signature without a version', () => changed(signature, (value) => value.slice(3))],
  ['with signatures joined by commas', () => changed(signature, (value) => `v1,AAAA,${value}`)],
  ['signed with another secret', () => message({ secrets: [other] })],
  ['replayed after more than five minutes', () => message({ at: soon(-310) })],
  ['from a clock more than five minutes ahead', () => message({ at: soon(310) })],
]

const folder = mkdtempSync(join(tmpdir(), 'cardstock-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(LANGUAGES.map((language) => [language.name, language] as const))(
  'the snippet in %s',
  (name, { fence, file, main, driver, build, run }) => {
    const [program = ''] = build ?? run
    const found = findProgram(program)
    const isThere = found !== undefined
    if (!isThere) console.info(`the snippet in ${name} is skipped: ${program} is not installed`)
    let verdicts: Verdict[]

    beforeAll(() => {
      if (!isThere) return
      const snippets = [
        ...GUIDE.matchAll(new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
      ]
      expect(snippets).toHaveLength(1)
      writeFileSync(join(folder, file), snippets[0]?.[1] ?? '')
      writeFileSync(join(folder, main), driver)
      // Go downloads nothing, whatever the machine's settings are.
      const env = {
        ...process.env,
        GOPROXY: 'off',
        GOTOOLCHAIN: 'local',
        GOFLAGS: '',
        GO111MODULE: '',
      }
      if (build !== undefined) {
        const [, ...options] = build
        expect(Bun.spawnSync([found ?? '', ...options], { cwd: folder, env }).success).toBe(true)
      }
      const once = message()
      const messages = [...GENUINE, ...FORGED].map(([, receive]) => receive())
      const requests = [...messages, once, once, { ...once, body: 'x' }]
      const { stdout, stderr, exitCode } = Bun.spawnSync(run, {
        cwd: folder,
        stdin: Buffer.from(JSON.stringify(requests)),
        env,
      })
      expect([exitCode, stderr.toString()]).toEqual([0, ''])
      verdicts = JSON.parse(stdout.toString())
      expect(verdicts).toHaveLength(requests.length)
    }, 180_000)

    test.skipIf(!isThere).each(GENUINE.map(([how], index) => [how, index] as const))(
      'accepts a delivery %s',
      (_how, index) => {
        expect(verdicts[index]).toEqual({ genuine: true, first: true })
      },
    )

    test
      .skipIf(!isThere)
      .each(FORGED.map(([how], index) => [how, GENUINE.length + index] as const))(
      'rejects a delivery %s',
      (_how, index) => {
        expect(verdicts[index]?.genuine).toBe(false)
      },
    )

    test.skipIf(!isThere)('recognizes a repeated delivery', () => {
      expect(verdicts.slice(-3)).toEqual([
        { genuine: true, first: true },
        { genuine: true, first: false },
        { genuine: false, first: false },
      ])
    })
  },
)
