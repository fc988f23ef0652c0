import type { ReactNode } from 'react'

type NoteProps = {
  tone?: 'wait' | 'bad' | ''
  title: string
  text?: ReactNode
  role?: 'alert'
  children?: ReactNode
}

/** Box with a title, a text and what to do next. */
export function Note({ tone = '', title, text, role, children }: NoteProps) {
  return (
    <div className={`note ${tone}`} role={role}>
      <div>
        <h2>{title}</h2>
        {typeof text === 'string' ? <p>{text}</p> : text}
      </div>
      {children}
    </div>
  )
}
