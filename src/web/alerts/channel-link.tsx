import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'

/** Page of the link that ends a channel. It needs a click, because mail programs open links on their own. */
export function UnsubscribeView({ token }: { token: string }) {
  const path = { unsubscribe_token: token }
  return (
    <LinkPage
      title="Unsubscribe"
      text="No more price alerts are sent to the address or the channel that got this link."
      button="Unsubscribe"
      done="Done. Nothing more is sent there."
      perform={() => api.post('/v1/unsubscribe/{unsubscribe_token}', { path })}
    />
  )
}

/** Page of the link that confirms a mail address. */
export function ConfirmView({ token }: { token: string }) {
  const path = { confirm_token: token }
  return (
    <LinkPage
      title="Confirm your address"
      text="Price alerts are sent to this address once you confirm it. Each of them has a link to unsubscribe."
      button="Confirm address"
      done="Confirmed. Alerts are sent to this address from now on."
      perform={() => api.post('/v1/confirm/{confirm_token}', { path })}
    />
  )
}

type LinkPageProps = {
  title: string
  text: string
  button: string
  done: string
  perform: () => Promise<unknown>
}

function LinkPage({ title, text, button, done, perform }: LinkPageProps) {
  const [isDone, setDone] = useState(false)
  const action = useAction(async () => {
    await perform()
    setDone(true)
  })
  return (
    <Page title={title} lead={isDone ? undefined : text}>
      <div className="stack" role="status">
        {isDone ? (
          <>
            <p className="note good">{done}</p>
            <p>
              <Link href="/alerts">Alerts and channels</Link>
            </p>
          </>
        ) : (
          <>
            <FormError error={action.error} />
            <div>
              <Button className="main" action={action}>
                {button}
              </Button>
            </div>
          </>
        )}
      </div>
    </Page>
  )
}
