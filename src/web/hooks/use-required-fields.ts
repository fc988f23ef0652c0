import { type FormEvent, useState } from 'react'
import * as texts from '#texts/components/controls.ts'
import type { AsyncAction } from './use-action.ts'

export type RequiredFields = {
  /** Returns a form handler that starts an action, unless it marks an empty field. */
  submitTo(action: Pick<AsyncAction<[]>, 'start'>): (event: FormEvent<HTMLFormElement>) => void
  /** Returns the message below a field that was empty and still is. */
  errorOf(name: string, label: string, value: string): string | undefined
}

/** Marks required fields that are empty when their form is sent, and focuses the first one. */
export function useRequiredFields(): RequiredFields {
  const [empty, setEmpty] = useState<readonly string[]>([])

  return {
    submitTo(action) {
      return (event) => {
        event.preventDefault()
        const fields = listEmptyFields(event.currentTarget)
        setEmpty(fields.map(({ name }) => name))
        if (fields[0] === undefined) void action.start()
        else fields[0].focus()
      }
    },
    errorOf(name, label, value) {
      return empty.includes(name) && value.trim() === '' ? texts.isRequired(label) : undefined
    },
  }
}

function listEmptyFields(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll('input')].filter(
    ({ required, value }) => required && value.trim() === '',
  )
}
