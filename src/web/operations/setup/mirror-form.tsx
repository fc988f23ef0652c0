import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { submitTo } from '../../hooks/use-action.ts'
import { type Choice, ChoiceCards } from './choice-cards.tsx'
import { QUESTIONS } from './steps.ts'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** Root of a public mirror of the marketplace (docs/guides/sync/mirror.md). */
const TCGCSV = 'https://tcgcsv.com'

type Source = 'tcgcsv' | 'other' | 'none'

/** Form for the mirror that the catalog comes from. */
export function MirrorForm({ settings, submit, onSaved }: SettingsFormProps) {
  const { mirror, has_sample } = settings
  const [source, setSource] = useState(() => sourceOf(settings))
  const [address, setAddress] = useState('')
  const [removesSample, setRemovesSample] = useState(true)
  const saving = useSettingsForm(() => {
    const root = { tcgcsv: TCGCSV, other: address.trim(), none: '' }[source]
    const isKept = source === 'other' && root === '' && mirror.value !== null
    return {
      ...(!isKept && { mirror: root }),
      ...(has_sample && source !== 'none' && { remove_sample: removesSample }),
    }
  }, onSaved)
  const isRefused = saving.error?.code === 'MIRROR_UNUSABLE' || saving.error?.status === 400
  return (
    <form className="stack" noValidate onSubmit={submitTo(saving)} aria-label={QUESTIONS.mirror}>
      <ChoiceCards
        legend={QUESTIONS.mirror}
        choices={choicesFor(has_sample)}
        value={source}
        onChange={(next) => {
          saving.clearError()
          setSource(next)
        }}
      />
      {source === 'other' && (
        <Field
          label="Address of the mirror"
          name="mirror"
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={mirror.value ?? 'https://…'}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          hint="The folder that contains last-updated.txt."
          error={isRefused ? saving.error?.message : undefined}
        />
      )}
      {has_sample && source !== 'none' && (
        <label className="check">
          <input
            type="checkbox"
            checked={removesSample}
            onChange={({ target }) => setRemovesSample(target.checked)}
          />
          Remove the sample when the first prices have arrived
        </label>
      )}
      {!(source === 'other' && isRefused) && <FormError error={saving.error} />}
      <p>
        <Button type="submit" className="main" isBusy={saving.isRunning}>
          {saving.isRunning && source !== 'none' ? 'Checking the mirror…' : submit}
        </Button>
      </p>
    </form>
  )
}

function sourceOf({ mirror }: SettingsFormProps['settings']): Source {
  if (mirror.value === null) return mirror.source === 'default' ? 'tcgcsv' : 'none'
  return mirror.value === 'tcgcsv.com' ? 'tcgcsv' : 'other'
}

function choicesFor(hasSample: boolean): Choice<Source>[] {
  return [
    {
      value: 'tcgcsv',
      name: 'tcgcsv.com',
      text: 'A free public mirror of TCGplayer’s prices, updated daily. The first sync takes about half an hour, because it pauses between requests. It needs 1 GB of disk space.',
    },
    {
      value: 'other',
      name: 'Another mirror',
      text: 'A server of your own, or of somebody you know, with the same files as tcgcsv.com.',
    },
    hasSample
      ? {
          value: 'none',
          name: 'Only the sample for now',
          text: 'Three invented games to look around in. You can choose a mirror later.',
        }
      : {
          value: 'none',
          name: 'Nothing for now',
          text: 'The catalog stays as it is. You can choose a mirror later.',
        },
  ]
}
