import { useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/alerts/channel-link.ts'
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
      title={texts.unsubscribe}
      text={texts.unsubscribeLead}
      button={texts.unsubscribe}
      done={texts.unsubscribed}
      perform={() => api.post('/v1/unsubscribe/{unsubscribe_token}', { path })}
    />
  )
}

/** Page of the link that confirms a mail address. */
export function ConfirmView({ token }: { token: string }) {
  const path = { confirm_token: token }
  return (
    <LinkPage
      title={texts.confirmYourAddress}
      text={texts.confirmLead}
      button={texts.confirmAddress}
      done={texts.confirmed}
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
              <Link href="/alerts">{texts.alertsAndChannels}</Link>
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
