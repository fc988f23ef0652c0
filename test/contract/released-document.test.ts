/** A change of the API document that breaks clients is listed in the changelog. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ComparedDocument,
  findBreakingChanges,
  findUnnamedChanges,
} from '../../scripts/tools/openapi/document-changes.ts'
import { createTestApp } from '../support/test-app.ts'

const ROOT = join(import.meta.dir, '../..')
// The release tool writes it.
const RELEASED = JSON.parse(
  readFileSync(join(ROOT, 'docs/reference/openapi.json'), 'utf8'),
) as ComparedDocument

test('every breaking change since docs/reference/openapi.json is in CHANGELOG.md under Changed', async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  const changes = findBreakingChanges(RELEASED, JSON.parse(text))
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  // Each entry names the words in `terms` as code.
  expect(findUnnamedChanges(changes, changelog)).toEqual([])
})

/** A document that a test can change anywhere. */
type Draft = ReturnType<typeof JSON.parse>

/** Returns the changes between the released document and a changed copy. */
function changesOf(change: (draft: Draft) => void): string[] {
  const draft = structuredClone(RELEASED)
  change(draft)
  return findBreakingChanges(RELEASED, draft).map(
    ({ terms, problem }) => `${terms.join(' ')} ${problem}`,
  )
}

const searchOf = (draft: Draft) => draft.paths['/v1/search'].get

describe('a change breaks clients:', () => {
  test.each<[string, string, (draft: Draft) => void]>([
    ['a removed operation', 'GET /v1/games was removed', (d) => delete d.paths['/v1/games'].get],
    [
      'a renamed operation',
      'searchCards has another name',
      (d) => (searchOf(d).operationId = 'find'),
    ],
    [
      'a removed parameter',
      'GET /v1/search sort was removed',
      (d) => {
        searchOf(d).parameters = searchOf(d).parameters.filter((one: Draft) => one.name !== 'sort')
      },
    ],
    [
      'a required parameter',
      'GET /v1/search lang is now required',
      (d) =>
        searchOf(d).parameters.push({
          name: 'lang',
          in: 'query',
          required: true,
          schema: { type: 'string' },
        }),
    ],
    [
      'a removed word of a parameter',
      'GET /v1/search sort no longer accepts `name`',
      (d) => {
        searchOf(d)
          .parameters.find((one: Draft) => one.name === 'sort')
          .schema.enum.pop()
      },
    ],
    [
      'a lower maximum',
      'GET /v1/search q accepts fewer values',
      (d) => {
        searchOf(d).parameters.find((one: Draft) => one.name === 'q').schema.maxLength = 20
      },
    ],
    [
      'a removed member of a response',
      'Card rarity was removed',
      (d) => delete d.components.schemas.Card.properties.rarity,
    ],
    [
      'a member that may be null',
      'Card name has another type',
      (d) => (d.components.schemas.Card.properties.name.type = ['string', 'null']),
    ],
    [
      'a member that may be missing',
      'Card name may now be missing',
      (d) => {
        d.components.schemas.Card.required = d.components.schemas.Card.required.filter(
          (one: string) => one !== 'name',
        )
      },
    ],
    [
      'a required member of a request',
      'LogInRequest code is now required',
      (d) => {
        d.components.schemas.LogInRequest.properties.code = { type: 'string' }
        d.components.schemas.LogInRequest.required.push('code')
      },
    ],
    [
      'a renamed schema',
      'Mover was removed',
      (d) => {
        d.components.schemas.Moved = d.components.schemas.Mover
        delete d.components.schemas.Mover
      },
    ],
    [
      'a removed type of a body',
      'POST /v1/bulk/resolve/csv text/csv was removed',
      (d) => delete d.paths['/v1/bulk/resolve/csv'].post.requestBody.content['text/csv'],
    ],
  ])('%s', (_, expected, change) => {
    expect(changesOf(change)).toContain(expected)
  })
})

describe('a change breaks no client:', () => {
  test.each<[string, (draft: Draft) => void]>([
    ['none', () => {}],
    [
      'a new operation',
      (d) => (d.paths['/v1/new'] = { get: { ...searchOf(d), operationId: 'getNew' } }),
    ],
    [
      'an optional parameter',
      (d) => searchOf(d).parameters.push({ name: 'lang', in: 'query', schema: { type: 'string' } }),
    ],
    [
      'a new member of a response',
      (d) => {
        d.components.schemas.Card.properties.artist = { type: 'string' }
        d.components.schemas.Card.required.push('artist')
      },
    ],
    [
      'an optional member of a request',
      (d) => {
        d.components.schemas.LogInRequest.properties.code = { type: 'string' }
      },
    ],
    ['a new error code', (d) => d.components.schemas.ErrorCode.enum.push('NEW_CODE')],
    ['another description', (d) => (searchOf(d).description = 'Finds cards.')],
    [
      'a higher maximum',
      (d) => {
        searchOf(d).parameters.find((one: Draft) => one.name === 'q').schema.maxLength = 2_000
      },
    ],
    [
      'a response that is never null any more',
      (d) => (d.components.schemas.Card.properties.rarity.type = 'string'),
    ],
  ])('%s', (_, change) => {
    expect(changesOf(change)).toEqual([])
  })
})

test('a change is named by an entry under Unreleased, Changed, with all its terms as code', () => {
  const change = { terms: ['Card', 'rarity'], problem: 'was removed' }
  const unnamed = (changed: string, heading = 'Changed') =>
    findUnnamedChanges(
      [change],
      `# C\n\n## Unreleased\n\n### ${heading}\n\n${changed}\n\n## 1.0.0\n`,
    )
  expect(unnamed('- `Card` has no `rarity` any more.')).toEqual([])
  expect(unnamed('- The member `Card.rarity` is gone.')).toEqual([])
  expect(unnamed('- Card has no rarity.')).toEqual([change])
  expect(unnamed('- `Card` is new.\n- `rarity` too.')).toEqual([change])
  expect(unnamed('- `Card` has no `rarity`.', 'Added')).toEqual([change])
})
