import { useId } from 'react'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useDraft } from '../hooks/use-draft.ts'

type ComboFieldProps = {
  label: string
  /** Text of the current value. */
  value: string
  placeholder: string
  /** Returns the options for the typed text. */
  suggestions: (typed: string) => readonly { key: string; name: string }[]
  onPick: (key: string) => void
  /** Called when the field is left with text that is not an option. */
  onType: (typed: string) => void
  onOpen?: () => void
  disabled?: boolean
  /** Shown below the field. */
  note?: string | undefined
  error?: string | undefined
}

/** Text field with a list of options. */
export function ComboField(props: ComboFieldProps) {
  const { label, value, placeholder, onPick, onType, onOpen, disabled, note, error } = props
  const id = useId()
  const [draft, setDraft] = useDraft(value)
  // The current value does not filter the list.
  const options = props.suggestions(draft === value ? '' : draft.trim())
  const combobox = useCombobox({
    keys: options.map(({ key }) => key),
    onPick(key) {
      setDraft(value)
      onPick(key)
    },
  })

  function open(): void {
    onOpen?.()
    combobox.open()
  }

  function leave(): void {
    const typed = draft.trim()
    // Show the current value again.
    setDraft(value)
    if (typed !== value) onType(typed)
  }

  return (
    <div className="field combo" {...combobox.container}>
      <label htmlFor={id}>{label}</label>
      <div className="combo-frame">
        <input
          {...combobox.field}
          id={id}
          className="input"
          value={draft}
          placeholder={placeholder}
          disabled={disabled}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            setDraft(event.target.value)
            open()
          }}
          onClick={open}
          onFocus={onOpen}
          onBlur={leave}
          onKeyDown={(event) => {
            combobox.field.onKeyDown(event)
            if (event.key !== 'Enter' || event.defaultPrevented) return
            event.preventDefault()
            combobox.close()
            leave()
          }}
        />
        {combobox.isOpen && options.length > 0 && (
          <ul className="popup combo-list" aria-label={label} {...combobox.list}>
            {options.map(({ key, name }, at) => (
              <li key={key} className="suggestion" {...combobox.option(at)}>
                {name}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p id={`${id}-note`} className={error === undefined ? 'field-note' : 'field-error'}>
        {error ?? note}
      </p>
    </div>
  )
}
