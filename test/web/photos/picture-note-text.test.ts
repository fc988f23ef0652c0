// The note about pictures that photos cannot be compared with yet.
import { expect, test } from 'bun:test'
import { pictureNote } from '#web/photos/picture-note-text.ts'

const noteOf = (waiting: number, indexed: number, is_enabled = true) =>
  pictureNote({ is_enabled, cards: 100, waiting, indexed, ready_at: null })

test.each([
  ['none was tried', 100, 0, /in the background/],
  ['more than 5 % wait', 6, 94, /in the background/],
  ['5 % wait and the others are indexed', 5, 95, undefined],
  ['all were tried and half are indexed', 0, 50, undefined],
  ['all were tried and fewer than half are indexed', 0, 49, /could not be indexed yet/],
  ['all were tried and none is indexed', 0, 0, /could not be indexed yet/],
])('if %s, the note is right', (_, waiting, indexed, text) => {
  const note = noteOf(waiting, indexed)
  if (text === undefined) expect(note).toBeUndefined()
  else {
    expect(note?.title).toBe(`Pictures: ${indexed} of 100 indexed`)
    expect(note?.text).toMatch(text)
  }
})

test('an index that is off is named as the reason, whatever was tried', () => {
  expect(noteOf(100, 0, false)?.text).toMatch(/INDEX_PICTURES/)
  expect(noteOf(0, 0, false)?.text).toMatch(/INDEX_PICTURES/)
})

test('a catalog without pictures has no note', () => {
  const empty = { is_enabled: true, cards: 0, waiting: 0, indexed: 0, ready_at: null }
  expect(pictureNote(empty)).toBeUndefined()
})
