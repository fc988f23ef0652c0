/** Texts of the pages that links in messages open. */

export const unsubscribe = 'Unsubscribe'
export const unsubscribeLead =
  'No more price alerts are sent to the address or the channel that got this link.'
export const unsubscribed = 'Done. Nothing more is sent there.'
export const confirmYourAddress = 'Confirm your address'
export const confirmLead =
  'Price alerts are sent to this address once you confirm it. Each of them has a link to unsubscribe.'
export const confirmAddress = 'Confirm address'
export const confirmed = 'Confirmed. Alerts are sent to this address from now on.'
export const alertsAndChannels = 'Alerts and channels'
