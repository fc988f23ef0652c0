import { type ReactNode, useState } from 'react'
import type { ChangeSettingsRequest } from '#client/endpoints.ts'
import * as texts from '#texts/operations/setup.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { submitTo } from '../../hooks/use-action.ts'
import { ChoiceCards, type ChoiceCardsProps } from './choice-cards.tsx'
import { RegisteredNote } from './registered-note.tsx'
import { MODE_NAMES, QUESTIONS } from './steps.ts'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** Asks how the server is used. */
export function ModeForm(props: SettingsFormProps) {
  const { value, source } = props.settings.mode
  return (
    <ChoiceForm
      {...props}
      legend={QUESTIONS.mode}
      choices={MODES}
      value={source === 'default' ? 'private' : value}
      change={(mode) => ({ mode })}
      note={(mode) => <RegisteredNote settings={props.settings} mode={mode} />}
    />
  )
}

const MODES = [
  {
    value: 'private',
    name: MODE_NAMES.private,
    text: texts.allFeaturesNoLimitsNoPlans,
  },
  {
    value: 'community',
    name: MODE_NAMES.community,
    text: texts.everybodyCanCreateAFree,
  },
  {
    value: 'business',
    name: MODE_NAMES.business,
    text: texts.freeAccountsAndPlans,
  },
] as const

/** Asks if the pictures of the catalog are indexed. */
export function PictureForm(props: SettingsFormProps) {
  return (
    <ChoiceForm
      {...props}
      legend={QUESTIONS.pictures}
      choices={PICTURES}
      value={props.settings.index_pictures.value ? 'now' : 'later'}
      change={(answer) => ({ index_pictures: answer === 'now' })}
    />
  )
}

const PICTURES = [
  {
    value: 'now',
    name: texts.yesIndexThePictures,
    text: texts.picturesExplained,
  },
  {
    value: 'later',
    name: texts.later,
    text: texts.untilThenPhotos,
  },
] as const

/** Asks if reference rates are fetched, with which prices are shown in other currencies. */
export function RatesForm(props: SettingsFormProps) {
  return (
    <ChoiceForm
      {...props}
      legend={QUESTIONS.rates}
      choices={RATES}
      value={props.settings.exchange_rates.value ? 'yes' : 'no'}
      change={(answer) => ({ exchange_rates: answer === 'yes' })}
    />
  )
}

const RATES = [
  {
    value: 'yes',
    name: texts.yesWithTheDailyRates,
    text: texts.ratesExplained,
  },
  {
    value: 'no',
    name: texts.no,
    text: texts.noRatesExplained,
  },
] as const

type ChoiceFormProps<Value extends string> = SettingsFormProps &
  Omit<ChoiceCardsProps<Value>, 'onChange'> & {
    /** Returns the settings to store. */
    change: (value: Value) => ChangeSettingsRequest
    /** Renders what a choice means for this server. */
    note?: (value: Value) => ReactNode
  }

/** Form of a question that is answered by one choice. */
function ChoiceForm<Value extends string>(props: ChoiceFormProps<Value>) {
  const { legend, choices, change, note, submit, onSaved } = props
  const [value, setValue] = useState(props.value)
  const saving = useSettingsForm(() => change(value), onSaved)
  return (
    <form className="stack" onSubmit={submitTo(saving)} aria-label={legend}>
      <ChoiceCards legend={legend} choices={choices} value={value} onChange={setValue} />
      {note?.(value)}
      <FormError error={saving.error} />
      <p>
        <Button type="submit" className="main" isBusy={saving.isRunning}>
          {submit}
        </Button>
      </p>
    </form>
  )
}
