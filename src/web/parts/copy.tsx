import { useState } from 'react'

/** Copies a text; a screen reader is told that it did. */
export function Copy({ text }: { text: string }) {
  const [told, setTold] = useState('')
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setTold('Copied')
    } catch {
      // Browsers let only pages of https and of this machine write there.
      setTold('Select the line and copy it')
    }
  }
  return (
    <span className="row">
      <button type="button" className="button" onClick={copy}>
        Copy
      </button>
      <span className="small soft" role="status">
        {told}
      </span>
    </span>
  )
}
