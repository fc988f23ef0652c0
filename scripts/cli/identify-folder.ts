import { randomUUID } from 'node:crypto'
import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { orderCards } from '#actions/photos/order-cards.ts'
import { type ReadPhotoInput, readPhoto } from '#actions/photos/read-photo.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type CardRow, formatCardRows, openCardTable } from './identified-table.ts'
import { readInputFile } from './read-input-file.ts'
import { createProgress } from './terminal.ts'
import { count } from './text.ts'

type FolderInput = {
  /** A folder of photos, or one photo. */
  path: string
  game: ReadPhotoInput['game']
  /** Each photo shows several cards. */
  page: boolean
  prices: boolean
  /** File of the table; undefined for stdout. */
  out: string | undefined
}

/**
 * Identifies all photos of a folder, in the order of their names, and writes a table. A table in a file is continued: the
 * photos that it has are skipped, except for the last one and those with an error.
 *
 * @returns 1 if a photo could not be read
 */
export async function identifyFolder(deps: Deps, input: FolderInput): Promise<number> {
  const photos = listPhotos(input.path)
  const known = await openCardTable(input.out)
  const due = photos.filter((photo) => !known.has(basename(photo)))
  const bar = createProgress('identify')
  let failed = 0
  for (const [done, path] of due.entries()) {
    bar.show(done, due.length, 'photos')
    const rows = await identifyFile(deps, path, input)
    failed += rows.filter(({ status }) => status === 'error').length
    // All rows of a photo are written at once, so that a table only ends within a photo if the command is killed.
    write(formatCardRows(basename(path), rows), input.out)
  }
  bar.end()
  if (input.out !== undefined) process.stdout.write(`${summary(photos, due, failed, input.out)}\n`)
  return failed === 0 ? 0 : 1
}

function summary(photos: string[], due: string[], failed: number, out: string): string {
  const skipped = photos.length - due.length
  const before = skipped === 0 ? '' : `, ${skipped} were in it`
  const errors = failed === 0 ? '' : `, ${failed} with an error`
  return `Wrote ${count(due.length, 'photo')} to ${out}${before}${errors}`
}

const PHOTO_NAME = /\.(jpe?g|png|webp)$/i

function listPhotos(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => PHOTO_NAME.test(name))
  const order = new Intl.Collator('en', { numeric: true }).compare
  return names.sort(order).map((name) => join(path, name))
}

/** Returns the rows of a photo. An error becomes a row, so that the other photos are still identified. */
async function identifyFile(deps: Deps, path: string, input: FolderInput): Promise<CardRow[]> {
  try {
    const photo = await readInputFile(path)
    return input.page ? await readPage(deps, photo, input) : [await readCard(deps, photo, input)]
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const message = cause instanceof ServiceError ? cause.message : 'The file could not be read.'
    return [{ status: 'error', message }]
  }
}

const SENDER = { network: 'local', payer: 'command' }

async function readPage(deps: Deps, photo: Uint8Array, input: FolderInput): Promise<CardRow[]> {
  const { size, cards } = await deps.reader.cut(photo, { gameId: input.game?.id, sender: SENDER })
  if (cards.length === 0) return [{ status: 'retake', message: 'No card was found.' }]
  const rows: CardRow[] = []
  for (const { card, place } of orderCards(cards)) {
    const placed = { placement: card.placement, page: size }
    rows.push({ ...(await readCard(deps, card.jpeg, input, placed)), ...place })
  }
  return rows
}

async function readCard(
  deps: Deps,
  photo: Uint8Array,
  { game, prices }: FolderInput,
  card?: ReadPhotoInput['card'],
): Promise<CardRow> {
  const input = { id: randomUUID(), photo, sender: SENDER, game, prices }
  return readPhoto(deps, card === undefined ? input : { ...input, card })
}

function write(text: string, out: string | undefined): void {
  if (out === undefined) process.stdout.write(text)
  else appendFileSync(out, text)
}
