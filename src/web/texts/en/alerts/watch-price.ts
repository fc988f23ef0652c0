/** Texts of the dialog that watches a price. */
import type { ReactNode } from 'react'
import { rich } from '../../rich-text.ts'

export const watchThisPrice = 'Watch this price'
export const youGetAnAlertWhen = ({ name, created }: Record<'name' | 'created', ReactNode>) =>
  rich`You get an alert when ${name} is at ${created}.`
export const alertsAreInTheDashboard =
  'Alerts are in the dashboard, at the bell, and on each of your channels.'
export const alertsAndChannels = 'Alerts and channels'
export const done = 'Done'
export const changeFromThePriceNow = 'Change from the price now'
export const cancel = 'Cancel'
export const createAlert = 'Create alert'
