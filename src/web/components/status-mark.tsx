/** Status icon beside a text with the same meaning. */
export function StatusMark({ state }: { state: 'good' | 'off' | 'wait' | 'bad' }) {
  return (
    <svg className={`mark ${state}`} aria-hidden="true" viewBox="0 0 24 24">
      <circle cx="12" cy="12" r="12" />
      <path d={SHAPES[state]} />
    </svg>
  )
}

const SHAPES = {
  good: 'M6.5 12.5l3.7 3.7 7.3-8',
  off: 'M7 12h10',
  wait: 'M12 6.5v6.5M12 17v.1',
  bad: 'M8 8l8 8M16 8l-8 8',
}
