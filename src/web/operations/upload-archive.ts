import { api } from '../api.ts'

/** Bytes of an archive that have been sent. */
export type UploadStep = { sent: number; size: number }

/**
 * Uploads an archive in pieces, which reverse proxies and unstable connections let through.
 *
 * @returns the name under which it can be imported
 */
export async function uploadArchive(
  file: File,
  onStep: (step: UploadStep) => void,
): Promise<string> {
  const { size } = file
  // The server accepts no other characters.
  const name = file.name
    .replace(/[^\w .()+-]/g, '_')
    .replace(/^\W/, '_')
    .slice(-100)
  for (let sent = 0; ; ) {
    onStep({ sent, size })
    const body = file.slice(sent, sent + PIECE_BYTES, 'application/octet-stream')
    const query = { name, offset: sent, size }
    const { data } = await withRetry(() =>
      api.post('/v1/operator/history-import/upload', { query, body }),
    )
    if (data.archive !== null) return data.archive
    sent = data.received
  }
}

const PIECE_BYTES = 8 * 1024 * 1024

/** A piece can be sent again, so a lost connection costs only this one. */
async function withRetry<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch {
    return send()
  }
}
