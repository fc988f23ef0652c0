import { expect, test } from 'bun:test'
import { existsSync, fstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openUploadFiles, readUploadFile } from '#store/files/upload-files.ts'
import { createTempFolder } from '../../support/closers.ts'

const BYTES = new Uint8Array(300_000).map((_, index) => index % 251)

test('a body is read from the disk by its descriptor until it is closed', async () => {
  const dataDir = createTempFolder('cardstock-uploads-')
  const file = await openUploadFiles(dataDir).put(BYTES)
  expect(file.length).toBe(BYTES.length)
  expect(file.subarray(0, BYTES.length)).toEqual(BYTES)
  expect(file.subarray(299_990, 1_000_000)).toEqual(BYTES.subarray(299_990))
  expect(file.subarray(400_000, 500_000)).toHaveLength(0)
  const elsewhere = readUploadFile(file.descriptor, file.length)
  expect(elsewhere.subarray(7, 1_007)).toEqual(BYTES.subarray(7, 1_007))
  expect(fstatSync(file.descriptor).mode & 0o777).toBe(0o600)
  file.close()
  expect(() => file.subarray(0, 1)).toThrow()
})

test('a body has no name, so nothing is left of it however its process ends', async () => {
  const dataDir = createTempFolder('cardstock-uploads-')
  const file = await openUploadFiles(dataDir).put(BYTES)
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
  file.close()
})

test('a start deletes bodies that were being created when the process was killed', () => {
  const dataDir = createTempFolder('cardstock-uploads-')
  openUploadFiles(dataDir)
  expect(existsSync(join(dataDir, 'uploads'))).toBe(false)
  mkdirSync(join(dataDir, 'uploads'))
  writeFileSync(join(dataDir, 'uploads', 'left'), BYTES)
  openUploadFiles(dataDir)
  expect(readdirSync(join(dataDir, 'uploads'))).toEqual([])
})
