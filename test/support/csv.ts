/**
 * A strict parser of RFC 4180 that throws on errors: CR LF after each record, quotes doubled within
 * quotes.
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = []
  let at = 0

  function cell(): string {
    if (text[at] !== '"') {
      const start = at
      while (at < text.length && !/[,\r\n"]/.test(text[at] ?? '')) at++
      return text.slice(start, at)
    }
    let value = ''
    for (at++; ; ) {
      const quote = text.indexOf('"', at)
      if (quote < 0) throw new Error('a quoted cell has no end')
      value += text.slice(at, quote)
      at = quote + 1
      if (text[at] !== '"') return value
      value += '"'
      at++
    }
  }

  while (at < text.length) {
    const record = [cell()]
    while (text[at] === ',') {
      at++
      record.push(cell())
    }
    if (text.slice(at, at + 2) !== '\r\n')
      throw new Error(`no CR LF at ${at}: ${text.slice(at, at + 20)}`)
    at += 2
    records.push(record)
  }
  return records
}
