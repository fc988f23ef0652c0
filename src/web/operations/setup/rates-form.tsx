import { useState } from 'react'
import { ChoiceForm } from './choice-form.tsx'
import { QUESTIONS } from './steps.ts'
import { type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

/** Asks if reference rates are fetched, with which prices are shown in other currencies. */
export function RatesForm({ settings, submit, onSaved }: SettingsFormProps) {
  const [answer, setAnswer] = useState<'yes' | 'no'>(settings.exchange_rates.value ? 'yes' : 'no')
  const saving = useSettingsForm(() => ({ exchange_rates: answer === 'yes' }), onSaved)
  return (
    <ChoiceForm
      legend={QUESTIONS.rates}
      choices={CHOICES}
      value={answer}
      onChange={setAnswer}
      saving={saving}
      submit={submit}
    />
  )
}

const CHOICES = [
  {
    value: 'yes',
    name: 'Yes, with the daily rates of the European Central Bank',
    text: 'The server fetches one small file from ecb.europa.eu on working days. Everybody can then choose among some thirty currencies in the header; converted prices are marked with ≈.',
  },
  {
    value: 'no',
    name: 'No',
    text: 'No rates are fetched. Rates that are stored already convert prices for another seven days.',
  },
] as const
