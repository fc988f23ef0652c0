/**
 * A new user's first photos, end to end: a server on the sample catalog, an account created over HTTP, the real photo
 * reader and its networks. A browser rendered the photos; the networks were not trained with them
 * (scripts/tools/make-sample-photos.ts).
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { findFreePort } from '../../support/free-port.ts'
import { ROOT } from '../../support/process.ts'
import { createServerProcess, type ServerProcess } from '../../support/server-process.ts'

const PHOTOS = join(ROOT, 'data/sample/photos')
const PICTURES = 116
const START_MS = 120_000

type Label = { file: string; what: string; cards: number[]; status: string[] }
type Answer = {
  data: {
    status: string
    message: string | null
    candidates: { card_id: number }[]
    warnings: string[]
  }
  meta: { scans_remaining: number }
}

const LABELS: Label[] = JSON.parse(readFileSync(join(PHOTOS, 'labels.json'), 'utf8'))

let server: ServerProcess
let key: string
const folder = mkdtempSync(join(tmpdir(), 'cardstock-first-photo-'))

beforeAll(async () => {
  const port = await findFreePort()
  server = createServerProcess({ dataDir: folder, port, args: ['--with-sample'] })
  server.spawn()
  await until(async () => (await metric('cardstock_reader_pictures')) === PICTURES)
  key = await keyOfANewAccount()
}, START_MS)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('a photo of the sample', () => {
  test('has a label', () => {
    const files = readdirSync(PHOTOS).filter((name) => name.endsWith('.jpg'))
    expect(LABELS.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
    expect(files.length).toBeGreaterThanOrEqual(12)
  })

  test.each(LABELS)('$file: $what', async ({ file, cards, status }) => {
    const { data } = await identify(await photoOf(file))
    expect(status).toContain(data.status)
    if (cards.length !== 1) return
    const ids = data.candidates.map(({ card_id }) => card_id)
    // A card with the same art is returned with the others.
    if (data.status === 'matched') expect(ids[0]).toBe(cards[0] ?? 0)
    else expect(ids).toContain(cards[0] ?? 0)
  })

  test('is recognized in a mirror, as the camera of a screen stores it', async () => {
    for (const file of ['clean.jpg', 'upside-down.jpg']) {
      const [card = 0] = LABELS.find((label) => label.file === file)?.cards ?? []
      const mirrored = await sharp(await photoOf(file))
        .flop()
        .jpeg()
        .toBuffer()
      const { data } = await identify(new Uint8Array(mirrored))
      expect([data.status, data.candidates[0]?.card_id]).toEqual(['matched', card])
      expect(data.warnings).toEqual([expect.stringContaining('mirrored')])
    }
  })
})

const photoOf = (file: string) => Bun.file(join(PHOTOS, file)).bytes()

/** Sends a photo, again if a busy machine has rejected it. */
async function identify(photo: Uint8Array<ArrayBuffer>): Promise<Answer> {
  const headers = { 'x-api-key': key, 'content-type': 'image/jpeg' }
  for (;;) {
    const response = await fetch(`${server.url}/v1/identify`, {
      method: 'POST',
      headers,
      body: photo,
    })
    if (response.status === 503) continue
    expect(response.status).toBe(200)
    return (await response.json()) as Answer
  }
}

async function keyOfANewAccount(): Promise<string> {
  const account = { email: 'newcomer@guests.example', password: 'eight characters' }
  await post('/v1/auth/register', account)
  const login = await post('/v1/auth/login', account)
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const made = await post('/v1/keys', {}, { cookie })
  const { data } = (await made.json()) as { data: { key: string } }
  return data.key
}

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
  return response
}

/** Undefined until the server answers. */
async function metric(name: string): Promise<number | undefined> {
  const text = await fetch(`${server.url}/metrics`).then(
    (response) => response.text(),
    () => '',
  )
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.split(' ')[1])
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await Bun.sleep(200)
}
