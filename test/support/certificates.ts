import { generate } from 'selfsigned'

/** PEM. Self-signed: clients trust it with `cert` as their CA. */
export type Certificate = { key: string; cert: string }

const made = new Map<string, Promise<Certificate>>()

/**
 * Creates a certificate for these names or addresses. Each is created once per test run, because it takes some 150
 * ms.
 *
 * @param kind expired: it ended yesterday
 */
export function createCertificate(
  names: readonly string[],
  kind: 'valid' | 'expired' = 'valid',
): Promise<Certificate> {
  const label = `${kind} ${names.join(' ')}`
  const known = made.get(label)
  if (known !== undefined) return known
  const fresh = generateCertificate(names, kind)
  made.set(label, fresh)
  return fresh
}

async function generateCertificate(
  names: readonly string[],
  kind: 'valid' | 'expired',
): Promise<Certificate> {
  const day = 86_400_000
  const last = Date.now() + (kind === 'valid' ? day : -day)
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(last - 9 * day),
    notAfterDate: new Date(last),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: names.map(altName) },
    ],
  })
  return { key, cert }
}

function altName(name: string) {
  const isAddress = name.includes(':') || /^[\d.]+$/.test(name)
  return isAddress ? { type: 7 as const, ip: name } : { type: 2 as const, value: name }
}
