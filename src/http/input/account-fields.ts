import { Type } from '@sinclair/typebox'
import { PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN } from '#rules/accounts/credentials.ts'

// Fields of accounts, in registration, login and mailed links.

/** The e-mail address of an account. */
export const EMAIL = Type.String({ maxLength: 320, format: 'email' })

/** A password to be set. */
export const NEW_PASSWORD = Type.String({
  minLength: PASSWORD_CHARACTERS_MIN,
  maxLength: PASSWORD_BYTES_MAX,
  description: `At least ${PASSWORD_CHARACTERS_MIN} characters, at most ${PASSWORD_BYTES_MAX} bytes.`,
})
