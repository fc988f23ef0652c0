import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as texts from '#texts/components/controls.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { useOverlay } from './overlay.tsx'

/** Secret that is shown only once. */
export type Secret = {
  title: string
  noun: 'key' | 'secret'
  text: string
  lead: string
  /** Content below the secret. */
  more: ReactNode
}

/** Returns a function that shows a secret until the user confirms, even after navigation. */
export function useShowSecret(): (secret: Secret) => void {
  const show = useOverlay()
  return (secret) => show((close) => <SecretDialog secret={secret} onConfirm={close} />)
}

function SecretDialog({ secret, onConfirm }: { secret: Secret; onConfirm: () => void }) {
  const { title, noun, text, lead, more } = secret
  const [isWarned, setWarned] = useState(false)
  const confirmButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The browser shows its own confirmation before unloading.
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  return (
    <Dialog
      title={title}
      mayClose={false}
      onClose={() => {
        setWarned(true)
        confirmButton.current?.focus()
      }}
    >
      <p>{lead}</p>
      <CopyButton noun={noun} text={text} main />
      {more}
      <p className={isWarned ? 'field-error' : 'visually-hidden'} role="alert">
        {isWarned && (noun === 'key' ? texts.keyIsShownOnce : texts.secretIsShownOnce)}
      </p>
      <div className="row end">
        <Button ref={confirmButton} onClick={onConfirm}>
          {texts.iveSavedIt}
        </Button>
      </div>
    </Dialog>
  )
}
