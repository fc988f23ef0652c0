// Process of the kill test. Indexes a data folder with pictures derived from their URLs.
import { buildPictureIndex } from '#actions/photos/build-picture-index.ts'
import { openPictureIndex } from '#store/open-catalog-writer.ts'
import { createTestLog } from '../test-app.ts'
import { addressImages, fakePipeline } from './fake-pipeline.ts'

const index = openPictureIndex(process.argv[2] ?? '')
if (index === undefined) throw new Error('the index is locked')
const report = await buildPictureIndex(
  {
    index,
    pictures: addressImages,
    loadEmbedder: async () => fakePipeline(),
    model: 'm1',
    listFirstSets: async () => [],
    log: createTestLog([]),
    now: () => new Date('2026-11-15T21:30:00Z'),
  },
  {},
)
index.close()
process.stdout.write(JSON.stringify(report))
