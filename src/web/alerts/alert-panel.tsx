import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { ChangedWatch, Delivery, PricedCard, Watch } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Act } from '../components/busy-button.tsx'
import { Confirm } from '../components/confirm-dialog.tsx'
import { Refusal } from '../components/form-error.tsx'
import { Art, cardArt } from '../components/picture.tsx'
import { agoText, momentText, usd } from '../format.ts'
import { useDeed } from '../hooks/use-action.ts'
import { conditionText, printingText, standingOf } from './alert-text.ts'
import { watchedPrice } from './cards.ts'
import { WatchEdit } from './edit-alert.tsx'
import { TestResult } from './test-result.tsx'

type WatchPanelProps = {
  watch: Watch
  /** What it looks at; undefined while that is not known. */
  card: PricedCard | undefined
  /** Called with what a change made of it, and after a test. */
  onChanged: (watch: ChangedWatch) => void
  onDeleted: () => void
  /** Other places that it leads to. */
  children?: ReactNode
}

/** A watch: what it waits for, how it stands, and what can be done with it. */
export function WatchPanel({ watch, card, onChanged, onDeleted, children }: WatchPanelProps) {
  const [shown, setShown] = useState<'edit' | 'delete'>()
  const [tested, setTested] = useState<Delivery>()
  const path = { webhook_id: watch.id }
  const isGoing = watch.status === 'active' || watch.status_reason === 'tier'
  const turn = useDeed(async () => {
    const body = { paused: isGoing }
    onChanged((await api.patch('/v1/webhooks/{webhook_id}', { path, body })).data)
  })
  const test = useDeed(async () => {
    setTested(undefined)
    setTested((await api.post('/v1/webhooks/{webhook_id}/test', { path })).data)
    onChanged(watch)
  })
  const end = useDeed(async () => {
    await api.delete('/v1/webhooks/{webhook_id}', { path })
    setShown(undefined)
    onDeleted()
  })
  const name = watch.card_name ?? `Card ${watch.card_id}`

  return (
    <article className="panel watch" aria-label={name}>
      <Art src={card && cardArt(card)} name="" size="small" />
      <WatchAbout watch={watch} card={card} name={name} />
      <div className="row watch-deeds">
        <Act isRunning={test.isRunning} onClick={() => void test.start()}>
          {test.isRunning ? 'Sending…' : 'Send a test'}
        </Act>
        {children}
        <Act isRunning={turn.isRunning} onClick={() => void turn.start()}>
          {isGoing ? 'Pause' : 'Resume'}
        </Act>
        <button
          type="button"
          className="button"
          aria-expanded={shown === 'edit'}
          onClick={() => setShown(shown === 'edit' ? undefined : 'edit')}
        >
          Edit
        </button>
        <button
          type="button"
          className="button quiet danger apart"
          onClick={() => {
            end.forget()
            setShown('delete')
          }}
        >
          Delete
        </button>
      </div>
      <div className="watch-more">
        <Refusal error={test.error ?? turn.error} />
        <TestResult tested={tested} />
        {shown === 'edit' && (
          <WatchEdit watch={watch} onChanged={onChanged} onClose={() => setShown(undefined)} />
        )}
        {shown === 'delete' && (
          <Confirm
            title="Delete this alert?"
            yes="Delete it"
            deed={end}
            onClose={() => setShown(undefined)}
          >
            <p>
              Nobody is told about <b>{name}</b> any more, and what it still has to send is gone
              with it.
            </p>
          </Confirm>
        )}
      </div>
    </article>
  )
}

type WatchAboutProps = { watch: Watch; card: PricedCard | undefined; name: string }

function WatchAbout({ watch, card, name }: WatchAboutProps) {
  const standing = standingOf(watch)
  return (
    <div className="watch-about">
      <div className="watch-head">
        <h2>
          <Link href={`/cards/${watch.card_id}`}>{name}</Link>
        </h2>
        <span className={`tag ${standing.tone}`} role="status">
          {standing.name}
        </span>
      </div>
      <p>
        Tells when it is <b>{conditionText(watch)}</b>
        {card !== undefined && (
          <span className="soft"> · now {usd(watchedPrice(card, watch.printing))}</span>
        )}
      </p>
      <p className="small soft">
        {[card?.set_name, printingText(watch.printing)].filter(Boolean).join(' · ')}
      </p>
      <p className="small soft">
        Posts to <code>{watch.url}</code>
      </p>
      <p className="small soft">
        {watch.last_alert_at === null
          ? 'Nothing told in the last 30 days'
          : `Last told ${agoText(watch.last_alert_at)}`}
      </p>
      {standing.why !== undefined && <p className="small">{standing.why}</p>}
      {watch.previous_secret_until !== null && (
        <p className="small">
          The secret before still signs, too, until {momentText(watch.previous_secret_until)}.
        </p>
      )}
    </div>
  )
}
