/** Texts of the page of watched prices and notifications. */
import type { ReactNode } from 'react'
import { type Markup, rich } from '../../rich-text.ts'

export const alerts = 'Alerts'
export const alertsLead = (link: Markup) =>
  rich`Get an alert when a card reaches your price. Programs use ${link('signed webhooks')}.`
export const watchedPrices = 'Watched prices'
export const noWatchedPrices = (link: Markup) =>
  rich`You are not watching any price yet. Open a card and choose its bell. ${link('Search cards')}`
export const card = (cardId: number) => `Card ${cardId}`
export const priceOf = ({ card, condition }: Record<'card' | 'condition', ReactNode>) =>
  rich`${card} at ${condition}`
export const paused = 'Paused'
export const lastAlert = (when: string) => `last alert ${when}`
export const resume = 'Resume'
export const resumeNamed = (name: string) => `Resume ${name}`
export const pause = 'Pause'
export const pauseNamed = (name: string) => `Pause ${name}`
export const deleteLabel = 'Delete'
export const deleteNamed = (name: string) => `Delete ${name}`
export const notifications = 'Notifications'
export const markAllAsRead = 'Mark all as read'
export const noNotifications = 'No notifications in the last 30 days.'
export const channelHasStopped = 'A channel has stopped. See your channels below.'
export const cardIsAt = ({
  cardName,
  currentPrice,
}: Record<'cardName' | 'currentPrice', ReactNode>) => rich`${cardName} is at ${currentPrice}`
export const unread = 'Unread,'
