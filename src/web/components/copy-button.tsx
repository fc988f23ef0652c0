import { useRef, useState } from 'react'

type CopyButtonProps = {
  /** What the text is, as it is read out: "key". */
  noun: string
  text: string
  main?: boolean
}

/** Text to be taken along whole, with a button that copies it. */
export function CopyButton({ noun, text, main = false }: CopyButtonProps) {
  const shown = useRef<HTMLInputElement>(null)
  const [told, setTold] = useState('')
  const copy = async () => {
    const isCopied = await copyOrSelect(text, shown.current)
    setTold(isCopied ? 'Copied' : 'Selected: copy it with your keyboard')
  }
  return (
    <div className="copy">
      <input
        ref={shown}
        className="input copy-text"
        aria-label={`The ${noun}`}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <button
        type="button"
        className={main ? 'button main' : 'button'}
        onClick={() => void copy()}
        aria-label={`Copy the ${noun}`}
      >
        {told === 'Copied' ? 'Copied' : 'Copy'}
      </button>
      <span className="unseen" role="status">
        {told}
      </span>
    </div>
  )
}

/** Over plain http browsers have no clipboard for pages: then the text is selected instead. */
async function copyOrSelect(text: string, shown: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    shown?.select()
    return false
  }
}
