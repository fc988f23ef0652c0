/**
 * Writes the bundled sample catalog, `data/sample`: a mirror of an upstream that does not exist,
 * with three invented games, 90 days of prices and a picture of every product.
 *
 *     bun scripts/tools/make-sample.ts
 *
 * The JSON comes out the same to the byte on every run. The pictures are drawn as SVG and rendered
 * by sharp, so their bytes may differ between versions of it. They want the typefaces Quicksand,
 * Cabin, Linux Libertine and B612: on Debian, `apt-get install fonts-quicksand fonts-cabin
 * fonts-linuxlibertine fonts-b612`.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { type Product, SHELVES, type Shelf } from './sample/catalog'
import { allFaces } from './sample/draw/card'
import { type Lettering, openLettering } from './sample/draw/lettering'
import { mirrorFiles, pictureOf } from './sample/mirror'

const TARGET = join(import.meta.dir, '../..', 'data', 'sample')

await makeSample()

async function makeSample(): Promise<void> {
  const files = new Map<string, string | Buffer>(mirrorFiles(SHELVES))
  const lettering = await openLettering(allFaces(), alphabetOf(SHELVES))
  for (const product of SHELVES.flatMap((shelf) => shelf.products)) {
    files.set(pictureOf(product), await render(product, lettering))
  }

  // Only now that everything is made, so that a fault above leaves the old sample whole. The photos
  // are made by a script of their own.
  for (const entry of await readdir(TARGET)) {
    if (!['photos', 'collection.csv'].includes(entry))
      await rm(join(TARGET, entry), { recursive: true })
  }
  for (const [path, content] of files) {
    const file = join(TARGET, path)
    await mkdir(dirname(file), { recursive: true })
    await Bun.write(file, content)
  }
  report(files)
}

async function render(product: Product, lettering: Lettering): Promise<Buffer> {
  const drawing = Buffer.from(product.draw(lettering))
  return sharp(drawing).webp({ quality: 74, effort: 6, smartSubsample: true }).toBuffer()
}

/** Every character that a picture may have to show. */
function alphabetOf(shelves: readonly Shelf[]): string {
  const printed = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .·–/&'
  return printed + JSON.stringify(shelves)
}

function report(files: ReadonlyMap<string, string | Buffer>): void {
  const sizes = [...files].map(([path, content]) => ({ path, bytes: Buffer.byteLength(content) }))
  const pictures = sizes.filter(({ path }) => path.endsWith('.webp'))
  const total = (list: readonly { bytes: number }[]) =>
    `${(list.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000).toFixed(2)} MB`
  console.log(
    `${sizes.length} files, ${total(sizes)}; ${pictures.length} pictures, ${total(pictures)}`,
  )
}
