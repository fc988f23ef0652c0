import { UpstreamFormatError } from './upstream-shapes.ts'

/** Reads a large JSON file chunk by chunk: an object with one long list of records. */
export type RecordReader = {
  /** Adds a part of the text. @returns the completed records */
  push(text: string): unknown[]
  /** Ends the file. @returns its object with an empty list. @throws UpstreamFormatError if it is truncated */
  end(): Record<string, unknown>
}

/**
 * Creates a reader that keeps one record at a time in memory. `JSON.parse` parses each record, and the rest of the
 * file. Text between two records is not checked.
 *
 * @param list name of the member with the records
 */
export function createRecordReader(list: string): RecordReader {
  const state: ReaderState = {
    list,
    place: 'head',
    head: '',
    record: '',
    depth: 0,
    inText: false,
    isEscaped: false,
  }
  return {
    push(text) {
      const records: unknown[] = []
      let at = 0
      while (at < text.length) {
        at = state.place === 'list' ? readList(state, text, at, records) : readHead(state, text, at)
      }
      return records
    },
    end() {
      if (state.place === 'list') throw new UpstreamFormatError('the file is cut off')
      const head = parseJson(state.head)
      if (typeof head === 'object' && head !== null && !Array.isArray(head)) {
        if (state.place === 'tail') return { ...head }
        throw new UpstreamFormatError(`the file has no list of ${list}`)
      }
      throw new UpstreamFormatError('the file is not an object with a list')
    },
  }
}

type ReaderState = {
  list: string
  place: 'head' | 'list' | 'tail'
  /** Text outside the list. */
  head: string
  /** Beginning of the record in progress. */
  record: string
  /** Open brackets within the record. */
  depth: number
  inText: boolean
  /** True after a backslash. */
  isEscaped: boolean
}

/** Adds text to the head until the list begins. @returns the position after what was read */
function readHead(state: ReaderState, text: string, from: number): number {
  if (state.place === 'tail') return addHead(state, text, from, text.length)
  const before = state.head.length
  const pending = state.head + text.slice(from)
  const begin = new RegExp(`"${state.list}"\\s*:\\s*\\[`).exec(pending)
  if (begin === null) return addHead(state, text, from, text.length)
  const end = from + begin.index + begin[0].length - before
  state.place = 'list'
  return addHead(state, text, from, end)
}

function addHead(state: ReaderState, text: string, from: number, end: number): number {
  state.head += text.slice(from, end)
  if (state.head.trimStart().startsWith('<')) {
    throw new UpstreamFormatError('the file is a web page, not JSON')
  }
  if (state.head.length > HEAD_MAX) throw new UpstreamFormatError('the file is not JSON')
  return end
}

/** Reads records until the list ends. @returns the position after what was read */
function readList(state: ReaderState, text: string, from: number, records: unknown[]): number {
  let start = from
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (state.isEscaped) state.isEscaped = false
    else if (state.inText) {
      if (code === BACKSLASH) state.isEscaped = true
      else if (code === QUOTE) state.inText = false
    } else if (code === QUOTE) state.inText = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (state.depth++ === 0) start = at
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      if (state.depth === 0) {
        state.place = 'tail'
        return at
      }
      if (--state.depth > 0) continue
      records.push(parseJson(state.record + text.slice(start, at + 1)))
      state.record = ''
      start = at + 1
    }
  }
  if (state.depth > 0) {
    state.record += text.slice(start)
    if (state.record.length > RECORD_MAX) throw new UpstreamFormatError('the file is not JSON')
  }
  return text.length
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // The parser's own message may quote any amount of the file.
    throw new UpstreamFormatError(text.trim() === '' ? 'the file is empty' : 'the file is not JSON')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** Maximum length of the text outside the list, and of a record, in characters. */
const HEAD_MAX = 100_000
const RECORD_MAX = 100_000
