import { describe, expect, test } from 'bun:test'
import { CSV_MAX_BYTES, readCsvBody } from '#http/input/csv-body.ts'

const CSV = 'Name,Quantity\r\nCindle,2\r\n'

type Sent = { body?: BodyInit; type?: string }

function read({ body = CSV, type }: Sent): Promise<Uint8Array> {
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  return readCsvBody(new Request('http://localhost/', { method: 'POST', body, headers }), () => {})
}

function formWith(...files: (Blob | string)[]): FormData {
  const form = new FormData()
  for (const file of files) form.append('file', file)
  form.append('game', 'wickerwild')
  return form
}

describe('a CSV file is accepted', () => {
  test.each(['text/csv', 'Text/CSV; charset=iso-8859-1', 'application/csv', 'text/plain'])(
    'from a body with the type %s',
    async (type) => {
      expect(await read({ type })).toEqual(new Uint8Array(Buffer.from(CSV)))
    },
  )

  test('from the file of a form, byte for byte', async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x4e, 0x00, 0xe9])
    const file = new File([bytes], 'my cards.csv', { type: 'application/vnd.ms-excel' })
    expect(await read({ body: formWith(file) })).toEqual(bytes)
  })

  test('up to 5 MB', async () => {
    const body = new Uint8Array(CSV_MAX_BYTES).fill(65)
    expect(await read({ body, type: 'text/csv' })).toHaveLength(CSV_MAX_BYTES)
    expect(await read({ body: formWith(new File([body], 'a.csv')) })).toHaveLength(CSV_MAX_BYTES)
  })
})

describe('a CSV file is rejected:', () => {
  const tooLong = new Uint8Array(CSV_MAX_BYTES + 1).fill(65)

  test.each<[string, Sent, string]>([
    ['another type', { type: 'application/json' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no type', { body: new Uint8Array([65]) }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a long body', { body: tooLong, type: 'text/csv' }, 'BODY_TOO_LARGE'],
    ['a long file', { body: formWith(new File([tooLong], 'a.csv')) }, 'BODY_TOO_LARGE'],
    ['an empty body', { body: '', type: 'text/csv' }, 'VALIDATION_ERROR'],
    ['an empty file', { body: formWith(new File([], 'a.csv')) }, 'VALIDATION_ERROR'],
    ['a form without a file', { body: formWith() }, 'VALIDATION_ERROR'],
    ['a file as a text', { body: formWith(CSV) }, 'VALIDATION_ERROR'],
    [
      'several files',
      { body: formWith(new File([CSV], 'a.csv'), new File([CSV], 'b.csv')) },
      'VALIDATION_ERROR',
    ],
    ['a broken form', { type: 'multipart/form-data; boundary=x' }, 'VALIDATION_ERROR'],
  ])('%s', async (_, sent, code) => {
    await expect(read(sent)).rejects.toMatchObject({ code })
  })

  test('an endless body, which is not read to the end', async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(65))
      },
    })
    await expect(read({ body, type: 'text/csv' })).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    expect(sent).toBeLessThan(CSV_MAX_BYTES + 1_000_000)
  })
})
