import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SetBatch } from '#store/catalog/catalog-writer.ts'
import { openStaging } from '#store/files/staging.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'staging-'))
afterAll(() => rmSync(ROOT, { recursive: true }))

const PUBLISHED = new Date('2026-11-21T20:05:50Z')

let folders = 0
const newFolder = () => join(ROOT, String(folders++))

function delivery(game_id: number, id: number, name = `Set “${id}” of Pokémon`): SetBatch {
  const dates = { release_date: null, modified_on: null }
  return {
    set: { id, game_id, name, abbreviation: null, ...dates },
    products_read: false,
    cards: undefined,
    prices: [],
    unreadable: { cards: [], prices: [] },
    files: [],
  }
}

/** Returns a batch as it is after staging: without undefined members. */
const staged = (setBatch: SetBatch) => JSON.parse(JSON.stringify(setBatch))

/** Returns the file of a game. */
function fileOf(folder: string, gameId: number): string {
  return join(folder, 'staging', String(PUBLISHED.getTime()), `${gameId}.jsonl`)
}

test('the next run of the same publication finds staged sets', () => {
  const folder = newFolder()
  const first = openStaging(folder, PUBLISHED)
  for (const setBatch of [delivery(1, 10), delivery(2, 20), delivery(1, 11)]) first.put(setBatch)
  const next = openStaging(folder, PUBLISHED)
  for (const staging of [first, next]) {
    expect(staging.get(20)).toEqual(staged(delivery(2, 20)))
    expect(staging.get(11)).toEqual(staged(delivery(1, 11)))
    expect(staging.get(10)).toEqual(staged(delivery(1, 10)))
    expect(staging.has(12)).toBe(false)
  }
})

test('a run of another publication does not find them', () => {
  const folder = newFolder()
  openStaging(folder, PUBLISHED).put(delivery(1, 10))
  expect(openStaging(folder, new Date(PUBLISHED.getTime() + 1)).has(10)).toBe(false)
  expect(readdirSync(join(folder, 'staging'))).toHaveLength(1)
})

test('staging a set twice keeps the later one', () => {
  const folder = newFolder()
  const first = openStaging(folder, PUBLISHED)
  first.put(delivery(1, 10, 'old'))
  first.put(delivery(1, 10, 'new'))
  for (const staging of [first, openStaging(folder, PUBLISHED)]) {
    expect(staging.get(10).set.name).toBe('new')
  }
})

test('a file truncated at any byte keeps the complete sets and accepts more', () => {
  const whole = newFolder()
  const writer = openStaging(whole, PUBLISHED)
  for (const id of [10, 11]) writer.put(delivery(1, id))
  const bytes = readFileSync(fileOf(whole, 1))
  const second = bytes.indexOf('\n') + 1
  for (let length = second - 1; length <= bytes.length; length++) {
    const folder = newFolder()
    openStaging(folder, PUBLISHED)
    appendFileSync(fileOf(folder, 1), bytes.subarray(0, length))
    const staging = openStaging(folder, PUBLISHED)
    expect([staging.has(10), staging.has(11)]).toEqual([length >= second, length === bytes.length])
    staging.put(delivery(1, 12))
    const next = openStaging(folder, PUBLISHED)
    expect(next.get(12)).toEqual(staged(delivery(1, 12)))
    expect([next.has(10), next.has(11)]).toEqual([length >= second, length === bytes.length])
    rmSync(folder, { recursive: true })
  }
})

test('a line without contents ends the file', () => {
  const folder = newFolder()
  openStaging(folder, PUBLISHED).put(delivery(1, 10))
  const { length } = readFileSync(fileOf(folder, 1))
  appendFileSync(fileOf(folder, 1), `${'\0'.repeat(50)}\n`)
  const staging = openStaging(folder, PUBLISHED)
  expect(staging.has(10)).toBe(true)
  expect(readFileSync(fileOf(folder, 1))).toHaveLength(length)
})

test('a game is deleted alone, everything at the end', () => {
  const folder = newFolder()
  const staging = openStaging(folder, PUBLISHED)
  for (const setBatch of [delivery(1, 10), delivery(2, 20)]) staging.put(setBatch)
  staging.deleteGame(1)
  staging.deleteGame(3)
  expect([staging.has(10), staging.has(20)]).toEqual([false, true])
  expect(() => staging.get(10)).toThrow('set 10 is not staged')
  expect(openStaging(folder, PUBLISHED).has(10)).toBe(false)
  staging.put(delivery(1, 10))
  expect(staging.get(10)).toEqual(staged(delivery(1, 10)))
  staging.close()
  expect(existsSync(join(folder, 'staging'))).toBe(false)
})
