import { ApiError } from '../api.ts'

/** What the API reads, as pickers of files are told. */
export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp'

const BYTES_MAX = 8 * 1024 * 1024

/** What a phone sends without need: beyond either, a photo is shrunk. */
const ENOUGH = { side: 2_500, bytes: 2 * 1024 * 1024 }
const SHRUNK = { side: 2_000, quality: 0.9 }

/**
 * Looks at the first bytes alone, as the API does, and says what it would say.
 *
 * @throws ApiError INVALID_IMAGE
 */
export async function assertPhoto(file: Blob): Promise<void> {
  if (file.size === 0) throw invalidPhoto('The image is empty: send a JPEG, PNG or WebP file.')
  const head = await headOf(file)
  if (head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n')) return
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return
  throw invalidPhoto('The image is none that can be read: send a JPEG, PNG or WebP file.')
}

/** @throws ApiError for a folder, and for what was moved away since it was chosen */
async function headOf(file: Blob): Promise<string> {
  try {
    return String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  } catch {
    throw invalidPhoto(
      'The file cannot be opened: choose a photo, no folder, and one that is still there.',
    )
  }
}

/**
 * A photo as it is sent: a large one with fewer pixels, which are enough, and upright, since what
 * says which way is up stays behind with the rest of its file.
 *
 * @throws ApiError INVALID_IMAGE for one that stays too large
 */
export async function photoToSend(file: Blob): Promise<Blob> {
  const photo = (await shrunk(file)) ?? file
  if (photo.size <= BYTES_MAX) return photo
  throw invalidPhoto(
    'The image is too large: send at most 8 MB (8,388,608 bytes). 2,000 pixels a side are enough.',
  )
}

/** Undefined where it is small enough, or the browser cannot read it: the API says why, then. */
async function shrunk(file: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  const side = Math.max(width, height)
  if (side <= ENOUGH.side && file.size <= ENOUGH.bytes) {
    bitmap.close()
    return undefined
  }
  const scale = Math.min(1, SHRUNK.side / side)
  const to = { width: width * scale, height: height * scale }
  const jpeg = await jpegOf(bitmap, { x: 0, y: 0, width, height }, to)
  bitmap.close()
  return jpeg
}

type Size = { width: number; height: number }

/** A piece of a picture as a JPEG; undefined where the browser cannot make one. */
export function jpegOf(
  picture: CanvasImageSource,
  from: Size & { x: number; y: number },
  to: Size,
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(to.width)
  canvas.height = Math.round(to.height)
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(undefined)
  // What lets light through would be black in a JPEG.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  const { x, y, width, height } = from
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => {
    canvas.toBlob((jpeg) => done(jpeg ?? undefined), 'image/jpeg', SHRUNK.quality)
  })
}

function invalidPhoto(message: string): ApiError {
  return new ApiError('INVALID_IMAGE', message)
}
