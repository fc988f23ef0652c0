import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AlertChannel } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/channels.ts'
import { api } from '../api.ts'
import { clockText } from '../clock-text.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'
import { CHANNEL_NAMES, NewChannel } from './new-channel.tsx'

/** Lists the channels of the account, and adds new ones. */
export function ChannelList() {
  // Larger than the number of channels that an account can have.
  const result = useQuery(apiQuery('/v1/channels', { query: { per_page: 100 } }))
  return (
    <section className="stack tight" aria-labelledby="channels">
      <h2 id="channels">{texts.channels}</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {result.data !== undefined && (
        <>
          {result.data.data.length > 0 && (
            <ul className="panel notifications">
              {result.data.data.map((channel) => (
                <ChannelItem key={channel.id} channel={channel} />
              ))}
            </ul>
          )}
          <NewChannel meta={result.data.meta} />
          <DigestSelect />
        </>
      )}
    </section>
  )
}

function ChannelItem({ channel }: { channel: AlertChannel }) {
  const { id, kind, status } = channel
  const [note, setNote] = useState<{ tone: 'good' | 'bad'; text: string }>()
  const path = { id }
  const state = channelState(channel)
  const name = `${CHANNEL_NAMES[kind].name} ${channel.name ?? ''}`
  const isActive = status === 'active'
  const test = useAction(async () => {
    setNote(undefined)
    const { error } = (await api.post('/v1/channels/{id}/test', { path })).data
    setNote(error === null ? { tone: 'good', text: texts.testSent } : { tone: 'bad', text: error })
  })
  const toggle = useAction(async () => {
    await api.patch('/v1/channels/{id}', { path, body: { is_paused: isActive } })
    refetchAfterChange('/v1/channels')
  })
  const confirm = useAction(async () => {
    await api.post('/v1/channels/{id}/confirmation', { path })
    setNote({ tone: 'good', text: texts.mailIsOnItsWay })
  })
  const remove = useAction(async () => {
    await api.delete('/v1/channels/{id}', { path })
    refetchAfterChange('/v1/channels')
  })
  return (
    <li className="notification with-actions">
      <div>
        <p>
          <b>{CHANNEL_NAMES[kind].name}</b> {channel.name ?? texts.addressUnreadable}
          <span className={`tag ${state.tone}`}>{state.name}</span>
        </p>
        {state.why !== undefined && <p className="small">{state.why}</p>}
        {channel.last_error !== null && <p className="small soft">{channel.last_error}</p>}
        <FormError error={test.error ?? toggle.error ?? confirm.error ?? remove.error} />
        <div role="status">
          {note !== undefined && <p className={`note ${note.tone}`}>{note.text}</p>}
        </div>
      </div>
      <div className="row tight">
        {status === 'unconfirmed' ? (
          <Button action={confirm} aria-label={texts.sendMailAgainTo(channel.name)}>
            {texts.sendMailAgain}
          </Button>
        ) : (
          <>
            <Button action={test} aria-label={texts.sendTestTo(name)}>
              {test.isRunning ? texts.sending : texts.sendTest}
            </Button>
            <Button
              action={toggle}
              aria-label={(isActive ? texts.pauseNamed : texts.resumeNamed)(name)}
            >
              {isActive ? texts.pause : texts.resume}
            </Button>
          </>
        )}
        <Button className="quiet danger" action={remove} aria-label={texts.deleteNamed(name)}>
          {texts.deleteLabel}
        </Button>
      </div>
    </li>
  )
}

type ChannelState = { name: string; tone: 'good' | 'wait' | 'bad' | ''; why?: string }

/** Returns the status of a channel, with a remedy for its owner. */
function channelState({ status, disabled_for }: AlertChannel): ChannelState {
  if (status === 'active') return { name: texts.active, tone: 'good' }
  if (status === 'paused') return { name: texts.paused, tone: '' }
  if (status === 'unconfirmed') {
    return { name: texts.notConfirmed, tone: 'wait', why: texts.openTheLinkInTheMail }
  }
  return { name: texts.stopped, tone: 'bad', why: STOPS[disabled_for ?? 'failing'] }
}

const STOPS: Readonly<Record<NonNullable<AlertChannel['disabled_for']>, string>> = {
  unsubscribed: texts.somebodyOpenedTheLink,
  refused: texts.addressDoesNotAcceptMail,
  gone: texts.subscriptionHasEnded,
  failing: texts.messagesFailed,
}

/** Chooses between single messages and one digest a day. */
function DigestSelect() {
  const id = useId()
  const result = useQuery(apiQuery('/v1/alert-preferences'))
  const save = useAction(async (hour: string) => {
    const digest_hour = hour === '' ? null : Number(hour)
    await api.patch('/v1/alert-preferences', { body: { digest_hour } })
    refetchAfterChange('/v1/alert-preferences')
  })
  if (result.data === undefined) return null
  const { digest_hour } = result.data.data
  return (
    <div className="field digest">
      <label htmlFor={id}>{texts.sendAlerts}</label>
      <Select
        id={id}
        all={texts.immediately}
        options={HOURS.map((hour) => [String(hour), texts.onceADayAt(clockText(timeOf(hour)))])}
        value={digest_hour === null ? '' : String(digest_hour)}
        onChange={(hour) => void save.start(hour)}
      />
      <FormError error={save.error} />
    </div>
  )
}

/** Hours of UTC, which are shown in the time zone of the browser. */
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

function timeOf(hour: number): string {
  return new Date(new Date().setUTCHours(hour, 0, 0, 0)).toISOString()
}
