import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { createTempFolder } from '../../support/closers.ts'
import { HAS_S3, type S3Server, startS3 } from '../../support/snapshots/s3-server.ts'

describe.skipIf(!HAS_S3)('a bucket', () => {
  let server: S3Server
  let bucket: Bucket
  const folder = createTempFolder('cardstock-bucket-')

  beforeAll(async () => {
    server = await startS3()
    bucket = openBucket(server.settings('shop'))
  })
  afterAll(() => server?.close())

  const readText = async (name: string) => {
    const found = await bucket.read(name)
    if (found === undefined || found === 'unchanged') throw new Error('nothing to read')
    return found
  }

  async function readFile(name: string): Promise<string> {
    const chunks = await bucket.download(name)
    if (chunks === undefined) throw new Error('missing')
    return Buffer.concat(await Array.fromAsync(chunks)).toString()
  }

  test('reads a small object, and notices its change and its absence', async () => {
    expect(await bucket.read('list.json')).toBeUndefined()
    expect(await bucket.replace('list.json', 'one', undefined)).toBe(true)
    const { text, etag } = await readText('list.json')
    expect(text).toBe('one')
    expect(await bucket.read('list.json', etag)).toBe('unchanged')
    expect(await bucket.replace('list.json', 'two', etag)).toBe(true)
    expect(await bucket.read('list.json', etag)).toMatchObject({ text: 'two' })
  })

  test('lets one of several writers replace what they have read', async () => {
    expect(await bucket.replace('contested', '0', undefined)).toBe(true)
    const { etag } = await readText('contested')
    const writers = [1, 2, 3, 4].map((n) => bucket.replace('contested', `${n}`, etag))
    const won = await Promise.all(writers)
    expect(won.filter(Boolean)).toHaveLength(1)
    expect((await readText('contested')).text).toBe(`${won.indexOf(true) + 1}`)
    expect(await bucket.replace('contested', 'late', undefined)).toBe(false)
  })

  test('stores a file once under a name', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const path = join(folder, 'file')
    writeFileSync(path, bytes)
    expect(await bucket.upload('files/a', path)).toBe(true)
    writeFileSync(path, 'other')
    expect(await bucket.upload('files/a', path)).toBe(false)
    expect(await readFile('files/a')).toBe(Buffer.from(bytes).toString())
    expect(await bucket.download('files/none')).toBeUndefined()
  })

  test('lists names of its folder, and deletes', async () => {
    const other = openBucket(server.settings('other'))
    await other.replace('files/c', '', undefined)
    await bucket.replace('files/b', '', undefined)
    expect(await bucket.list('files/')).toEqual(['files/a', 'files/b'])
    await bucket.delete('files/a')
    await bucket.delete('files/a')
    expect(await bucket.list('files/')).toEqual(['files/b'])
    expect(await other.list('')).toEqual(['files/c'])
  })

  test('names the failure, never a signed address or a key', async () => {
    const strange = openBucket({ ...server.settings('shop'), secretAccessKey: 'another' })
    const gone = openBucket({ ...server.settings('shop'), endpoint: 'http://127.0.0.1:1' })
    for (const [one, reason] of [
      [strange, 'HTTP 403 (SignatureDoesNotMatch)'],
      [gone, 'Check its address and keys'],
    ] as const) {
      const requests = [
        one.read('list.json'),
        one.replace('list.json', '', undefined),
        one.download('list.json'),
      ]
      for (const failure of await Promise.allSettled(requests)) {
        expect(failure).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
        const text = Bun.inspect((failure as PromiseRejectedResult).reason)
        expect(text).toContain(reason)
        expect(text).not.toContain('X-Amz')
      }
      const listed = one.list('')
      await expect(listed).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
  })
})
