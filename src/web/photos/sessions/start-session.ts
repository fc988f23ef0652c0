import { api } from '../../api.ts'
import { randomUuid } from '../../random-uuid.ts'
import { type InboxPhoto, openScanInbox } from './scan-inbox.ts'
import { storePhotos } from './scan-queue.ts'
import { scanSessionUrl } from './session-queries.ts'

/**
 * Creates a scan session with photos, which it sends when it is opened.
 *
 * @returns its address
 */
export async function startScanSession(
  account: number,
  files: readonly File[],
  options: Pick<InboxPhoto, 'game' | 'isPage'>,
): Promise<string> {
  const inbox = await openScanInbox()
  const { data } = await api.post('/v1/scan-sessions', { body: { id: randomUuid() } })
  const of = { account, session: data.id }
  await storePhotos({ inbox, of, files, options, onStored: () => {} })
  return scanSessionUrl(data.id)
}
