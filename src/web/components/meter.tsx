type MeterProps = {
  /** Accessible name. */
  label: string
  /** From 0 to `max`. */
  value: number
  max: number
  /** Accessible value text. */
  text: string
  /** True if the value warns, because little is left. */
  isLow?: boolean
}

/** Bar that shows a part of an amount. */
export function Meter({ label, value, max, text, isLow = false }: MeterProps) {
  const share = max === 0 ? 0 : value / max
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers do not allow equal styles for a meter element
    <div
      className={isLow ? 'meter low' : 'meter'}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      aria-valuetext={text}
    >
      <span style={{ width: `${Math.max(share * 100, share > 0 ? 1 : 0)}%` }} />
    </div>
  )
}
