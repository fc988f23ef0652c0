import type { ReactNode } from 'react'

/** Decorative icon, hidden from screen readers. */
export function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export const GamesIcon = () => (
  <Icon>
    <rect x="4" y="5" width="10" height="15" rx="2" transform="rotate(-10 9 12)" />
    <rect x="10" y="4" width="10" height="15" rx="2" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx="11" cy="11" r="6.5" />
    <path d="M16 16l4.5 4.5" />
  </Icon>
)

export const CameraIcon = () => (
  <Icon>
    <path d="M4 8h3.5L9 5.5h6L16.5 8H20a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z" />
    <circle cx="12" cy="13" r="3.5" />
  </Icon>
)

export const MoversIcon = () => (
  <Icon>
    <path d="M3 17l6-6 4 4 8-8" />
    <path d="M15 7h6v6" />
  </Icon>
)

export const CollectionIcon = () => (
  <Icon>
    <path d="M5 4h13a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5z" />
    <path d="M5 4v16M9 8h6M9 12h6" />
  </Icon>
)

export const PersonIcon = () => (
  <Icon>
    <circle cx="12" cy="8" r="3.75" />
    <path d="M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5" />
  </Icon>
)

export const BellIcon = () => (
  <Icon>
    <path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15z" />
    <path d="M10 21h4" />
  </Icon>
)

export const ThemeIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />
  </Icon>
)

export const Logo = () => (
  <svg aria-hidden="true" viewBox="0 0 32 32">
    <rect x="5" y="7" width="15" height="21" rx="3" fill="#8b93e8" transform="rotate(-12 12 18)" />
    <rect x="11" y="4" width="16" height="23" rx="3" fill="#3d45b5" />
    <path
      d="M15 19l3-4 2.4 2.4L24 12"
      fill="none"
      stroke="#fff"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)
