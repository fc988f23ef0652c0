import {
  createLoginLines,
  type PasswordCheck,
  type PasswordHasher,
} from '#actions/accounts/passwords.ts'
import { createSecretBox, type SecretBox } from '#rules/primitives/secret-box.ts'

/**
 * Passwords without the cost of hashing, which record their calls. Real hashing takes 50 ms; these are for tests of
 * everything else.
 */
export function fastPasswords(sleep?: (milliseconds: number) => Promise<void>) {
  const steps: string[] = []
  const gates: Promise<void>[] = []
  const hasher: PasswordHasher = {
    ...createLoginLines(sleep),
    async hash(password: string): Promise<string> {
      steps.push('hash')
      return hashOf(password)
    },
    async verify(password: string, hash: string | undefined): Promise<PasswordCheck> {
      steps.push('verify')
      await Promise.all(gates)
      const fits = hash === hashOf(password) || hash === outdatedHashOf(password)
      return { matches: fits, outdated: fits && hash === outdatedHashOf(password) }
    },
  }
  return {
    passwords: hasher,
    steps,
    /** Blocks every password check until the gate opens. */
    gate(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gates.push(promise)
      return () => {
        gates.splice(gates.indexOf(promise), 1)
        resolve()
      }
    },
  }
}

function hashOf(password: string): string {
  return `quick$${new Bun.CryptoHasher('sha256').update(password).digest('hex')}`
}

/** Returns a hash with outdated parameters. */
export function outdatedHashOf(password: string): string {
  return `old$${new Bun.CryptoHasher('sha256').update(password).digest('hex')}`
}

/** Returns the error code of a refused action, or `done`. */
export async function describeOutcome(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
    return 'done'
  } catch (error) {
    return (error as { code?: string }).code ?? String(error) // a ServiceError has a code
  }
}

/** A server's secrets, as derived from the app secret. */
export function testSecrets(): SecretBox {
  return createSecretBox('the secret of every test server, 32 characters', (bytes) =>
    crypto.getRandomValues(new Uint8Array(bytes)),
  )
}
