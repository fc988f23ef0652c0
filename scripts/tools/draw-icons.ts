// Draws src/http/pages/icons from src/web/icon.svg. Run it after a change of the icon.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const ROOT = join(import.meta.dir, '../..')
const ICON = await Bun.file(join(ROOT, 'src/web/icon.svg')).bytes()

/** Background of the icons that must not be transparent: --ground of the light theme. */
const GROUND = '#f7f6f3'

/** Size of each icon, and the share of it that the drawing fills. Without `part`, the background is transparent. */
const ICONS: Readonly<Record<string, { size: number; part?: number }>> = {
  'icon-192.png': { size: 192 },
  'icon-512.png': { size: 512 },
  // Launchers crop icons to a circle of 80 % of their size, which contains a square of 57 %.
  'maskable-512.png': { size: 512, part: 0.57 },
  'apple-touch-icon.png': { size: 180, part: 0.75 },
}

for (const [name, icon] of Object.entries(ICONS)) {
  writeFileSync(join(ROOT, 'src/http/pages/icons', name), await draw(icon))
}
writeFileSync(
  join(ROOT, 'src/http/pages/icons/favicon.ico'),
  joinIcons(await Promise.all([16, 32, 48].map((size) => draw({ size })))),
)

async function draw({ size, part = 1 }: { size: number; part?: number }): Promise<Buffer> {
  const inner = Math.round((size * part) / 2) * 2
  const drawing = await sharp(ICON, { density: (72 * inner) / 32 })
    .resize(inner, inner)
    .png()
    .toBuffer()
  const background = part === 1 ? { r: 0, g: 0, b: 0, alpha: 0 } : GROUND
  return sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: drawing }])
    .png({ palette: true })
    .toBuffer()
}

/** Joins PNG files of 16, 32 and 48 pixels to an ICO file. */
function joinIcons(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index
    const size = picture.readUInt32BE(16)
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(picture.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += picture.length
  }
  return Buffer.concat([head, ...pictures])
}
