// The file of resolved cards, parsed by an independent parser.
import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { parseCsvWithPython } from '../../support/python-csv.ts'
import { createTestApp } from '../../support/test-app.ts'

test('Python reads a file of resolved cards as we do, whatever its cells contain', async () => {
  const testApp = await createTestApp()
  const cells = ['=1+1', '@SUM(A1)', '""quoted"", and more', 'two\r\nlines'].map(
    (cell) => `"${cell}"`,
  )
  const rows = cells.map((cell) => `${cell},${cell},${cell},${cell}`)
  const { status, text } = await testApp.client.request('POST', '/v1/bulk/resolve/csv?format=csv', {
    as: 'business',
    body: `Name,Set,Number,Quantity\n${rows.join('\n')}\nCindle,TPP,,3\n`,
    headers: { 'content-type': 'text/csv' },
  })
  expect(status).toBe(200)
  const read = await parseCsvWithPython(text)
  if (read !== undefined) expect(read).toEqual(parse(text))
})
