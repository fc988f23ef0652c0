import { useRef, useState } from 'react'
import { Button } from './button.tsx'

type CopyButtonProps = {
  /** Names the text, such as "key". */
  noun: string
  text: string
  main?: boolean
}

/** Shows a text with a copy button. */
export function CopyButton({ noun, text, main = false }: CopyButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  const [status, setStatus] = useState('')
  const copy = async () => {
    const isCopied = await copyOrSelect(text, field.current)
    setStatus(isCopied ? 'Copied' : 'Selected. Copy it with your keyboard.')
  }
  return (
    <div className="copy">
      <input
        ref={field}
        className="input copy-text"
        aria-label={noun.charAt(0).toUpperCase() + noun.slice(1)}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <Button
        className={main ? 'main' : ''}
        onClick={() => void copy()}
        aria-label={`Copy ${noun}`}
      >
        {status === 'Copied' ? 'Copied' : 'Copy'}
      </Button>
      <span className="visually-hidden" role="status">
        {status}
      </span>
    </div>
  )
}

/** Copies the text, or selects it: browsers have no clipboard API over plain HTTP. */
async function copyOrSelect(text: string, field: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    field?.select()
    return false
  }
}
