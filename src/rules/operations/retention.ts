import { MS_PER_DAY } from '../primitives/days.ts'

/** Days for which identifications are kept. */
export const IDENTIFICATION_DAYS = 30

/** Days for which usage is kept and shown, including today. */
export const USAGE_DAYS = 30

/** A network is forgotten after this time without a login. */
export const LOGIN_PLACE_MS = 90 * MS_PER_DAY

/** Retention of deliveries and their attempts. */
export const DELIVERY_RETENTION_MS = 30 * MS_PER_DAY

/** Long enough for late investigations, and far longer than Stripe repeats an event. */
export const AUDIT_RETENTION_MS = 400 * MS_PER_DAY
