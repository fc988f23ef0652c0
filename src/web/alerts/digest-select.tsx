import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../api.ts'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { clockText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, refetchAfterChange } from '../query-client.ts'

/** Chooses between single messages and one digest a day. */
export function DigestSelect() {
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
      <label htmlFor={id}>Send alerts</label>
      <Select
        id={id}
        all="At once, each in a message"
        options={HOURS.map((hour) => [String(hour), `Once a day, at ${clockText(timeOf(hour))}`])}
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
