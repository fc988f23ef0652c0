type SegmentedControlProps<T extends string> = {
  /** Accessible name. */
  label: string
  options: readonly (readonly [value: T, name: string])[]
  value: T
  onChange: (value: T) => void
}

/** Row of buttons with one selected option. */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
}: SegmentedControlProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row everywhere
    <div className="switch" role="group" aria-label={label}>
      {options.map(([one, name]) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === value}
          onClick={() => one !== value && onChange(one)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
