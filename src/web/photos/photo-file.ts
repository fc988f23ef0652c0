import { ApiError } from '#client/client.ts'

/** Media types that the API accepts. */
export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp'

const MIB = 1024 * 1024

/** Limits of a photo. A photo above `enough` is shrunk to `side`. */
type PhotoLimits = {
  bytesMax: number
  enough: { side: number; bytes: number }
  side: number
  /** Remedy for a photo that stays too large. */
  remedy: string
}

/** Limits of a photo of one card. */
const CARD_LIMITS: PhotoLimits = {
  bytesMax: 8 * MIB,
  enough: { side: 2_500, bytes: 2 * MIB },
  side: 2_000,
  remedy: 'Choose one of at most 8 MB; 2,000 pixels per side are enough.',
}

/** Limits of a photo of several cards: each card needs as many pixels as in a separate photo. */
export const PAGE_LIMITS: PhotoLimits = {
  bytesMax: 16 * MIB,
  enough: { side: 5_600, bytes: 12 * MIB },
  side: 5_600,
  remedy: 'Choose one of at most 16 MB.',
}

const QUALITY = 0.9

/**
 * Checks the first bytes, as the API does.
 *
 * @throws ApiError INVALID_IMAGE
 */
export async function assertPhoto(file: Blob): Promise<void> {
  if (file.size === 0) throw invalidPhoto('The file is empty. Choose a JPEG, PNG or WebP image.')
  const head = await headOf(file)
  if (head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n')) return
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return
  throw invalidPhoto('This file isn’t a readable image. Choose a JPEG, PNG or WebP image.')
}

/** @throws ApiError for folders and deleted files */
async function headOf(file: Blob): Promise<string> {
  try {
    return String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  } catch {
    throw invalidPhoto('The file cannot be opened. Choose another photo.')
  }
}

/**
 * Prepares a photo: shrinks large ones and applies the EXIF orientation.
 *
 * @throws ApiError INVALID_IMAGE if it stays too large
 */
export async function photoToSend(file: Blob, limits = CARD_LIMITS): Promise<Blob> {
  const photo = (await shrunk(file, limits)) ?? file
  if (photo.size <= limits.bytesMax) return photo
  throw invalidPhoto(`The image is too large. ${limits.remedy}`)
}

/** Returns undefined if the photo is small enough or unreadable: then the API reports the error. */
async function shrunk(
  file: Blob,
  { enough, side: sideMax }: PhotoLimits,
): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return undefined
  const { width, height } = bitmap
  const side = Math.max(width, height)
  if (side <= enough.side && file.size <= enough.bytes) {
    bitmap.close()
    return undefined
  }
  const scale = Math.min(1, sideMax / side)
  const to = { width: width * scale, height: height * scale }
  const jpeg = await encodeJpeg(bitmap, { x: 0, y: 0, width, height }, to)
  bitmap.close()
  return jpeg
}

export type PixelSize = { width: number; height: number }

/** Encodes a part of an image as JPEG; undefined if the browser cannot. */
export function encodeJpeg(
  picture: CanvasImageSource,
  from: PixelSize & { x: number; y: number },
  to: PixelSize,
): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(to.width)
  canvas.height = Math.round(to.height)
  const context = canvas.getContext('2d')
  if (context === null) return Promise.resolve(undefined)
  // Transparent pixels would turn black in a JPEG.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  const { x, y, width, height } = from
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height)
  return new Promise((done) => {
    canvas.toBlob((jpeg) => done(jpeg ?? undefined), 'image/jpeg', QUALITY)
  })
}

function invalidPhoto(message: string): ApiError {
  return new ApiError('INVALID_IMAGE', message)
}
