import { useId, useState } from 'react'
import * as texts from '#texts/collections/collections.ts'
import { Select } from '../components/select.tsx'
import { readStored, writeStored } from '../stored-text.ts'

/** Which card a row without a set means. */
const PREFERENCES = [
  ['regular', texts.regularCheapest],
  ['newest', texts.ofTheNewestSet],
  ['oldest', texts.ofTheOldestSet],
  ['cheapest', texts.cheapestAlsoPromos],
  ['highest', texts.highestPrice],
] as const

type Preference = (typeof PREFERENCES)[number][0]

type PreferSelectProps = { value: Preference; onChange: (prefer: Preference) => void }

export function PreferSelect({ value, onChange }: PreferSelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{texts.cardOfRowsWithoutASet}</label>
      <Select
        id={id}
        options={PREFERENCES}
        value={value}
        onChange={(text) => onChange(findPreference(text))}
      />
    </div>
  )
}

/** Holds the preference, which this browser remembers for the next import. */
export function usePreference(): [Preference, (prefer: Preference) => void] {
  const [prefer, setPrefer] = useState(readPreference)
  return [
    prefer,
    (next) => {
      setPrefer(next)
      writeStored(STORAGE_KEY, next)
    },
  ]
}

function readPreference(): Preference {
  return findPreference(readStored(STORAGE_KEY))
}

function findPreference(text: string | null): Preference {
  return PREFERENCES.find(([one]) => one === text)?.[0] ?? 'regular'
}

const STORAGE_KEY = 'cardstock.prefer'
