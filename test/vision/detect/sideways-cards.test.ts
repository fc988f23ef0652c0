import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { rectangleQuad, rotateQuad } from '#vision/image/rectify.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { maxCornerDistance } from '../../support/photos/drawn-pictures.ts'

const SCANS = resolve(import.meta.dir, '../../../../shared/scans')
const hasScans = existsSync(SCANS)
if (!hasScans) console.log('    Scans of real cards are not at hand: no room is located.')
/** Cards with two halves, printed along the long side. */
const ROOMS = hasScans ? readdirSync(join(SCANS, 'dsk')).filter((it) => it.includes(' __ ')) : []
const CARD = { left: 220, top: 290, width: 440, height: 614 }

let pipeline: VisionPipeline
beforeAll(async () => {
  pipeline = await loadPipeline()
})
afterAll(() => pipeline.close())

/** Lays a scan on a table. */
async function photograph(scan: string, table: string): Promise<Buffer> {
  const { left, top, ...size } = CARD
  const card = await sharp(readFileSync(scan))
    .resize({ ...size, fit: 'fill' })
    .toBuffer()
  return sharp(readFileSync(table))
    .resize({ width: 900, height: 1200, fit: 'cover' })
    .composite([{ input: card, left, top }])
    .jpeg({ quality: 90 })
    .toBuffer()
}

test.skipIf(!hasScans)(
  'most rooms of Magic are located as whole cards',
  async () => {
    const tables = readdirSync(join(SCANS, 'textures')).filter((it) => it.endsWith('.webp'))
    expect(ROOMS.length).toBeGreaterThanOrEqual(6)
    const located = []
    for (const [index, room] of ROOMS.entries()) {
      const table = tables[(index * 17) % tables.length] ?? ''
      const photo = await photograph(join(SCANS, 'dsk', room), join(SCANS, 'textures', table))
      const { kind, items, quad } = await pipeline.run(photo)
      // Upside down is fine: both orientations are compared.
      const corners = rectangleQuad(CARD)
      const far = ([0, 2] as const).map((turns) =>
        maxCornerDistance(quad ?? [], rotateQuad(corners, turns)),
      )
      if (kind === 'raw' && items === 1 && Math.min(...far) < 0.06 * CARD.height) located.push(room)
    }
    expect(located.length).toBeGreaterThanOrEqual(9)
  },
  30_000,
)
