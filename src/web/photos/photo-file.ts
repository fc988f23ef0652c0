import { ApiError } from '#client/client.ts'
import * as texts from '#texts/photos/camera.ts'

/** Media types that can be chosen: those that the API accepts, and one that every browser reads. */
export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp,image/avif'

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
  remedy: texts.sizeHint8,
}

/** Limits of a photo of several cards: each card needs as many pixels as in a separate photo. */
export const PAGE_LIMITS: PhotoLimits = {
  bytesMax: 16 * MIB,
  enough: { side: 5_600, bytes: 12 * MIB },
  side: 5_600,
  remedy: texts.sizeHint16,
}

const QUALITY = 0.9

/**
 * Checks that the API reads a file, or that this browser does and can send it as JPEG: AVIF in all, HEIC in Safari.
 *
 * @throws ApiError INVALID_IMAGE
 */
export async function assertPhoto(file: Blob): Promise<void> {
  if (file.size === 0) throw invalidPhoto('The file is empty. Choose a JPEG, PNG or WebP image.')
  const head = await headOf(file)
  if (isSupported(head)) return
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  bitmap?.close()
  if (bitmap !== undefined) return
  throw invalidPhoto(
    HEIC.test(head)
      ? 'This browser can’t read HEIC photos. On an iPhone, choose Settings, Camera, Formats, Most Compatible.'
      : 'This file isn’t a readable image. Choose a JPEG, PNG or WebP image.',
  )
}

/** Returns true for the first bytes of the formats that the API reads. */
function isSupported(head: string): boolean {
  if (head.startsWith('\xff\xd8\xff') || head.startsWith('\x89PNG\r\n\x1a\n')) return true
  return head.startsWith('RIFF') && head.endsWith('WEBP')
}

const HEIC = /^.{4}ftyp(he[iv][cmsx]|m[is]f1)/s

/** @throws ApiError for folders and deleted files */
async function headOf(file: Blob): Promise<string> {
  try {
    return String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  } catch {
    throw invalidPhoto('The file cannot be opened. Choose another photo.')
  }
}

/**
 * Prepares a photo: shrinks large ones, encodes those that the API does not read as JPEG, and applies the EXIF
 * orientation to both.
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
  const isSmall = side <= enough.side && file.size <= enough.bytes
  if (isSmall && isSupported(await headOf(file))) {
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
