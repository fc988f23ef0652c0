import { useCallback } from 'react'
import { Copy } from '../parts/copy.tsx'
import { GUIDE } from './new-alert.tsx'

type NewSecretProps = {
  cardName: string
  secret: string
  /** What else is to be known of it. */
  note?: string
  onKept: () => void
}

/** What messages are signed with: it is shown here and never again. */
export function NewSecret({ cardName, secret, note, onKept }: NewSecretProps) {
  const focus = useCallback((heading: HTMLHeadingElement | null) => heading?.focus(), [])
  return (
    <section className="note good new-secret" aria-labelledby="new-secret">
      <h2 id="new-secret" ref={focus} tabIndex={-1}>
        The secret of {cardName}
      </h2>
      <p>
        Messages are signed with it. Keep it as you keep a password: it is shown here and never
        again. {note}
      </p>
      <Copy what="secret" text={secret} main />
      <div className="row">
        <button type="button" className="button" onClick={onKept}>
          I have kept it
        </button>
        <a href={GUIDE}>How signatures are checked</a>
      </div>
    </section>
  )
}
