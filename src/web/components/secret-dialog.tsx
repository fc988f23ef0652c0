import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

/** A text that is shown now and never again. */
export type Secret = {
  title: string
  /** What it is, as it is read out: "key". */
  noun: string
  text: string
  lead: string
  /** What can be done with it. */
  more: ReactNode
}

const ShowSecretContext = createContext<(told: Secret) => void>(() => {})

/** What shows a text until its owner says that they have it. */
export function useShowSecret(): (told: Secret) => void {
  return useContext(ShowSecretContext)
}

/** Stands around all pages: what it shows outlasts the page that it was made on, as by going back. */
export function SecretDialogProvider({ children }: { children: ReactNode }) {
  const [told, setTold] = useState<Secret>()
  return (
    <ShowSecretContext value={setTold}>
      {children}
      {told !== undefined && <SecretDialog told={told} onKept={() => setTold(undefined)} />}
    </ShowSecretContext>
  )
}

function SecretDialog({ told, onKept }: { told: Secret; onKept: () => void }) {
  const { title, noun, text, lead, more } = told
  const [isWarned, setWarned] = useState(false)
  const kept = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The browser asks in its own words before the page is left.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <Dialog
      title={title}
      mayClose={false}
      onClose={() => {
        setWarned(true)
        kept.current?.focus()
      }}
    >
      <p>{lead}</p>
      <CopyButton noun={noun} text={text} main />
      {more}
      <p className={isWarned ? 'field-fault' : 'unseen'} role="alert">
        {isWarned && `Once this is closed, nobody can show you the ${noun} again. Do you have it?`}
      </p>
      <div className="row end">
        <button ref={kept} type="button" className="button" onClick={onKept}>
          I have kept it
        </button>
      </div>
    </Dialog>
  )
}
