const PREFIX = 'tcg_live_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6

/** Format of an API key: the prefix, 32 random characters and a 6-character checksum of both. */
export const API_KEY_PATTERN = /^tcg_live_[0-9A-Za-z]{38}$/

/**
 * Generates an API key. The checksum allows mistyped or invented keys to be refused without a lookup.
 *
 * @param random called repeatedly until it has returned 32 bytes below 248
 */
export function generateApiKey(random: (bytes: number) => Uint8Array): string {
  let secret = ''
  while (secret.length < SECRET_LENGTH) {
    for (const byte of random(SECRET_LENGTH)) {
      // 248 is the largest multiple of 62 in a byte. Larger bytes would favor some characters.
      if (byte < 248 && secret.length < SECRET_LENGTH) secret += ALPHABET.charAt(byte % 62)
    }
  }
  return PREFIX + secret + computeChecksum(PREFIX + secret)
}

/** Returns true if the text has the format and the checksum of an API key. */
export function isApiKey(text: string): boolean {
  if (!API_KEY_PATTERN.test(text)) return false
  const body = text.slice(0, -CHECKSUM_LENGTH)
  return computeChecksum(body) === text.slice(-CHECKSUM_LENGTH)
}

/** Returns the SHA-256, the stored form of keys and tokens. With at least 190 random bits, they need no salt. */
export function hashSecret(secret: string): Uint8Array {
  return new Bun.CryptoHasher('sha256').update(secret).digest()
}

/** Returns the parts of a key that lists may show. */
export function keyPreview(key: string): { key_prefix: string; last4: string } {
  return { key_prefix: key.slice(0, PREFIX.length + 4), last4: key.slice(-4) }
}

function computeChecksum(body: string): string {
  let rest = Bun.hash.crc32(body)
  let text = ''
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    text = ALPHABET.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Minimum length of a password, in characters (specification, Limits 5). */
export const PASSWORD_CHARACTERS_MIN = 8

/** Maximum length of a password in bytes: longer ones would only take longer to hash. */
export const PASSWORD_BYTES_MAX = 1_024

/** Returns the problem with a password, for a sentence about it; undefined if it is valid. */
export function findPasswordProblem(password: string): string | undefined {
  if ([...password].length < PASSWORD_CHARACTERS_MIN) {
    return `must be at least ${PASSWORD_CHARACTERS_MIN} characters long`
  }
  if (Buffer.byteLength(password) > PASSWORD_BYTES_MAX) {
    return `must be at most ${PASSWORD_BYTES_MAX} bytes long`
  }
  // Encoding would replace a lone surrogate, so that different passwords would be equal.
  return password.isWellFormed() ? undefined : 'contains an invalid character'
}
