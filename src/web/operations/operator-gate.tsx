import type { ReactNode } from 'react'
import * as texts from '#texts/operations/operator.ts'
import { ApiError } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { useSession } from '../session.ts'

/** Shows a page to operators, and explains to others how to become one. */
export function OperatorGate({ title, children }: { title: string; children: ReactNode }) {
  const { me, error, refresh } = useSession()
  if (me?.is_operator === true) return children
  return (
    <Page title={title}>
      {me === undefined && <LineSkeleton />}
      {error !== undefined && <ErrorMessage error={error} onRetry={() => void refresh()} />}
      {me === null && error === undefined && <ErrorMessage error={NOT_LOGGED_IN} />}
      {me && <OperatorsOnly email={me.email} />}
    </Page>
  )
}

const NOT_LOGGED_IN = new ApiError('SESSION_REQUIRED', texts.logInToSeeTheServer)

function OperatorsOnly({ email }: { email: string }) {
  return (
    <section className="note" aria-labelledby="not-yours">
      <h2 id="not-yours">{texts.operatorsOnly}</h2>
      <p>{texts.becomeOperator}</p>
      <pre className="command">
        <code>{`bun run admin account operator --email ${email}`}</code>
      </pre>
    </section>
  )
}
