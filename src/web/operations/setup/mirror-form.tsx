import { useState } from 'react'
import * as texts from '#texts/operations/setup.ts'
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
          label={texts.addressOfTheMirror}
          name="mirror"
          type="url"
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={mirror.value ?? 'https://…'}
          value={address}
          onChange={({ target }) => setAddress(target.value)}
          hint={texts.folderThatContainsLast}
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
          {texts.removeTheSample}
        </label>
      )}
      {!(source === 'other' && isRefused) && <FormError error={saving.error} />}
      <p>
        <Button type="submit" className="main" isBusy={saving.isRunning}>
          {saving.isRunning && source !== 'none' ? texts.checkingTheMirror : submit}
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
      text: texts.publicMirrorExplained,
    },
    {
      value: 'other',
      name: texts.anotherMirror,
      text: texts.anotherMirrorExplained,
    },
    hasSample
      ? {
          value: 'none',
          name: texts.onlyTheSampleForNow,
          text: texts.sampleExplained,
        }
      : {
          value: 'none',
          name: texts.nothingForNow,
          text: texts.catalogStays,
        },
  ]
}
