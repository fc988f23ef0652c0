import { createHash } from 'node:crypto'
import { encodeFile } from './compression.ts'
import { acceptedForms, type Coding, findHeldTag, formOf, setCoding } from './content-coding.ts'

/** File that stays the same while the process runs, with its compressed forms. */
export type StaticFile = {
  /** Media type. */
  type: string
  body: Uint8Array<ArrayBuffer>
  /** Entity tag of the uncompressed body. */
  tag: string
  /** Compresses the body, once for all requests. */
  encoded(coding: Coding): Promise<Uint8Array<ArrayBuffer>>
}

export function createStaticFile(
  type: string,
  content: string | Uint8Array<ArrayBuffer>,
): StaticFile {
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const forms = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    type,
    body,
    tag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
    encoded(coding) {
      const known = forms.get(coding)
      if (known !== undefined) return known
      const encoded = encodeFile(body, coding)
      forms.set(coding, encoded)
      // The next request tries again.
      encoded.catch(() => forms.delete(coding))
      return encoded
    },
  }
}

/** Sends a file in the form that the client prefers, or 304 if the client already has it. */
export async function sendStaticFile(
  request: Request,
  file: StaticFile,
  more: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = new Headers({
    ...more,
    'content-type': file.type,
    vary: 'Accept-Encoding',
    etag: file.tag,
  })
  const held = findHeldTag(request, file.tag)
  if (held !== undefined) {
    headers.set('etag', held)
    return new Response(null, { status: 304, headers })
  }
  const forms = acceptedForms(request.headers.get('accept-encoding'))
  const form = formOf(forms, file.body.length)
  if (form === 'identity') return new Response(file.body, { headers })
  setCoding(headers, form)
  return new Response(await file.encoded(form), { headers })
}
