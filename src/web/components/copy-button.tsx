import { useRef, useState } from 'react'
import * as texts from '#texts/components/controls.ts'
import { Button } from './button.tsx'

type CopyButtonProps = {
  noun: Noun
  text: string
  main?: boolean
}

/** Kind of a text that is copied. */
export type Noun = 'key' | 'link' | 'request' | 'secret'

const NAMES: Readonly<Record<Noun, readonly [name: string, copy: string]>> = {
  key: [texts.key, texts.copyKey],
  link: [texts.link, texts.copyLink],
  request: [texts.request, texts.copyRequest],
  secret: [texts.secret, texts.copySecret],
}

/** Shows a text with a copy button. */
export function CopyButton({ noun, text, main = false }: CopyButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  const [status, setStatus] = useState('')
  const [name, copyName] = NAMES[noun]
  const copy = async () => {
    const isCopied = await copyOrSelect(text, field.current)
    setStatus(isCopied ? texts.copied : texts.selected)
  }
  return (
    <div className="copy">
      <input
        ref={field}
        className="input copy-text"
        aria-label={name}
        readOnly
        value={text}
        onFocus={({ target }) => target.select()}
      />
      <Button className={main ? 'main' : ''} onClick={() => void copy()} aria-label={copyName}>
        {status === texts.copied ? texts.copied : texts.copy}
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
