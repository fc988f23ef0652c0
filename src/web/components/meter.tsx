type MeterProps = {
  /** Accessible name. */
  label: string
  /** From 0 to `max`. */
  value: number
  max: number
  /** Accessible value text. */
  text: string
}

/** Bar that shows a remaining amount. */
export function Meter({ label, value, max, text }: MeterProps) {
  const share = max === 0 ? 0 : value / max
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers do not allow equal styles for a meter element
    <div
      className={`meter ${share < 0.1 ? 'low' : ''}`}
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
