import { Icon } from './components/icons.tsx'

export const FilterIcon = () => (
  <Icon>
    <path d="M4 7h16M7 12h10M10 17h4" />
  </Icon>
)

export const CrossIcon = () => (
  <Icon>
    <path d="M7 7l10 10M17 7L7 17" />
  </Icon>
)

export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
)
