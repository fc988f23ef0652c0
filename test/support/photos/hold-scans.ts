// Server process of the kill test. Reserves scans for photos that are never finished, then prints "held".
// Arguments: data folder, account id, number of photos.
import { identifyPhoto } from '#actions/photos/identify-photo.ts'
import { readConfig } from '#config.ts'
import { openDeps } from '#deps.ts'
import { fakeReader, PHOTO } from './reader-fixtures.ts'

const [dataDir = '', account = '', photos = ''] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, IDENTIFY_WORKERS: '0', LOG_LEVEL: 'silent' })
const never = new Promise<never>(() => {})
const deps = { ...(await openDeps(config)), reader: fakeReader(() => never) }

for (let photo = 0; photo < Number(photos); photo++) {
  void identifyPhoto(deps, {
    account_id: Number(account),
    address: '192.0.2.1',
    photo: PHOTO.jpeg,
    game: undefined,
    prices: false,
  })
}
// Each scan is reserved before its photo reaches the reader.
while (deps.reader.requests.length < Number(photos)) await Bun.sleep(1)
process.stdout.write('held\n')
setInterval(() => {}, 1_000)
