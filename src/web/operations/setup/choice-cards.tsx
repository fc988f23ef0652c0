import { type ReactNode, useId } from 'react'

/** An answer that can be chosen. */
export type Choice<Value extends string> = { value: Value; name: string; text: ReactNode }

export type ChoiceCardsProps<Value extends string> = {
  /** Question, for screen readers. */
  legend: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Radio buttons as large as their descriptions. */
export function ChoiceCards<Value extends string>({
  legend,
  choices,
  value,
  onChange,
}: ChoiceCardsProps<Value>) {
  const id = useId()
  return (
    <fieldset className="choice-cards">
      <legend className="visually-hidden">{legend}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="choice-card">
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            aria-labelledby={`${id}-${choice.value}-name`}
            aria-describedby={`${id}-${choice.value}-text`}
          />
          <span id={`${id}-${choice.value}-name`} className="choice-name">
            {choice.name}
          </span>
          <span id={`${id}-${choice.value}-text`} className="small soft">
            {choice.text}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
