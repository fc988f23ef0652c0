import { useId } from 'react'
import { useCombobox } from '../hooks/use-combobox.ts'
import { useDraft } from '../hooks/use-draft.ts'

type ComboFieldProps = {
  label: string
  /** What is chosen now, as the field shows it. */
  value: string
  placeholder: string
  /** What is proposed for what is typed. */
  suggestions: (typed: string) => readonly { key: string; name: string }[]
  onPick: (key: string) => void
  /** Called with what was typed and left without a choice. */
  onType: (typed: string) => void
  onOpen?: () => void
  disabled?: boolean
  /** Said below the field. */
  note?: string | undefined
  error?: string | undefined
}

/** A field that proposes what can stand in it. */
export function ComboField(props: ComboFieldProps) {
  const { label, value, placeholder, onPick, onType, onOpen, disabled, note, error } = props
  const id = useId()
  const [draft, setDraft] = useDraft(value)
  // What already stands there is no reason to propose nothing else.
  const proposed = props.suggestions(draft === value ? '' : draft.trim())
  const combobox = useCombobox({
    keys: proposed.map(({ key }) => key),
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
    // It shows what is chosen, whatever becomes of what was typed.
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
        {combobox.isOpen && proposed.length > 0 && (
          <ul className="popup combo-list" aria-label={label} {...combobox.list}>
            {proposed.map(({ key, name }, at) => (
              <li key={key} className="proposal" {...combobox.option(at)}>
                {name}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p id={`${id}-note`} className={error === undefined ? 'field-note' : 'field-fault'}>
        {error ?? note}
      </p>
    </div>
  )
}
