/** Decodes a body by its Content-Encoding, as browsers and curl do. */
export function decodeBody(body: Uint8Array<ArrayBuffer>, headers: Headers): Uint8Array {
  const coding = headers.get('content-encoding')
  // The response to HEAD has the header without a body.
  if (coding === null || body.length === 0) return body
  if (coding === 'gzip') return Bun.gunzipSync(body)
  if (coding === 'zstd') return Bun.zstdDecompressSync(body)
  throw new Error(`unknown coding ${coding}`)
}
