import { describe, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import type { Environment } from '#config/setting-reader.ts'
import { readConfig, readWorkerConfig } from '#config.ts'

const faultsOf = (env: Environment): string[] => {
  try {
    readConfig(env)
  } catch (error) {
    const [head, ...faults] = String(error instanceof Error ? error.message : error).split('\n')
    expect(head).toBe('Invalid settings:')
    return faults
  }
  return []
}

const SECRET = 's'.repeat(32)
const PAYEE = `0x${'12'.repeat(20)}`

describe('the settings', () => {
  test('are sensible where nothing is set', () => {
    const { service, ...settings } = readConfig({})
    expect(service).toMatchObject({ mode: undefined, upstreamUrl: undefined, isBillingSet: false })
    expect(settings).toEqual({
      mode: 'community',
      removesSample: false,
      hasLimits: true,
      host: '127.0.0.1',
      port: 3000,
      sharePort: false,
      publicUrl: 'http://localhost:3000',
      dataDir: resolve('./data/run'),
      ledgerDatabase: undefined,
      snapshots: undefined,
      catalogSource: undefined,
      upstreamUrl: undefined,
      syncOnStart: false,
      exchangeRatesUrl: undefined,
      cardmarketUrl: undefined,
      accessPolicy: 'five-tier',
      trustedProxies: 0,
      corsOrigins: [],
      attemptLimits: {
        loginEmailIp: 10,
        loginEmail: 1_800,
        loginIp: 100,
        registerIp: 200,
        trialIp: 50,
      },
      registration: 'open',
      visitors: {
        tier: 'pro',
        perClient: { requests: 500, cards: 3_000, records: 30_000 },
        total: 20_000,
      },
      indexPictures: true,
      pictureCacheMaxBytes: 2_000_000_000,
      buildBulkFiles: true,
      identifyWorkers: 1,
      photoWorkers: undefined,
      blockedCountries: [],
      countryHeader: 'cf-ipcountry',
      billing: { provider: 'manual', contact: undefined, autopay: false },
      x402: undefined,
      isLocal: true,
      webhookNetwork: 'loopback-ok',
      loginProvider: undefined,
      requiresConfirmedEmail: false,
      mail: undefined,
      metricsToken: undefined,
      appSecret: undefined,
      backupRetention: { hours: 24, days: 14 },
      backups: { dir: resolve('./data/run/backups'), retention: { hours: 24, days: 14 } },
      logLevel: 'info',
      logFormat: undefined,
      production: false,
    })
  })

  test('have the values that were set', () => {
    const { service, ...settings } = readConfig({
      HOST: '0.0.0.0',
      PORT: '8080',
      PUBLIC_URL: 'https://cards.example/',
      DATA_DIR: '/var/cards',
      SERVICE_MODE: 'private',
      UPSTREAM_URL: 'https://mirror.example/root///',
      SYNC_ON_START: 'yes',
      EXCHANGE_RATES_URL: 'https://bank.example/rates.xml',
      CARDMARKET_URL: 'https://prices.example/cardmarket/',
      ACCESS_POLICY: 'strict',
      TRUST_PROXY: '2',
      CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
      LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
      LOGIN_FAILURES_PER_EMAIL: '1',
      LOGIN_FAILURES_PER_IP: '2',
      REGISTRATIONS_PER_IP: '3',
      TRIALS_PER_IP: '4',
      REGISTRATION: 'invite',
      VISITOR_TIER: 'hobby',
      VISITOR_DAILY_REQUESTS: '7',
      VISITOR_DAILY_CARDS: '8',
      VISITOR_DAILY_RECORDS: '9',
      VISITOR_DAILY_REQUESTS_ALL: '70',
      INDEX_PICTURES: 'off',
      PICTURE_CACHE_MB: '0',
      BULK_FILES: 'off',
      IDENTIFY_WORKERS: '2',
      READERS: 'http://10.0.0.5:3100/, https://reader.example,http://10.0.0.5:3100',
      IDENTIFY_BLOCKED_COUNTRIES: 'fr, DE',
      IDENTIFY_COUNTRY_HEADER: 'X-Country',
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_new, whsec_old',
      STRIPE_PRICE_PRO: 'price_1',
      STRIPE_PRICE_SCANS_1000: 'price_2',
      X402_PAY_TO: `0x${'Ab'.repeat(20)}`,
      X402_FACILITATOR_URL: 'https://facilitator.example/',
      WEBHOOK_NETWORK: 'loopback-ok',
      SMTP_URL: 'smtps://mail.example',
      MAIL_FROM: 'cards@shop.example',
      METRICS_TOKEN: 'm'.repeat(16),
      APP_SECRET: 'a'.repeat(32),
      LEDGER_URL: 'postgres://cards:word@db.example/ledger?sslmode=verify-full',
      LEDGER_CONNECTIONS: '20',
      SNAPSHOTS_URL: 's3://cards-eu/shop/',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'token',
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: 'http://s3.internal:7070/',
      BUCKET_PUBLIC_URL: 'https://s3.example/',
      BACKUP_DIR: '/mnt/backups',
      BACKUP_KEEP_HOURS: '6',
      BACKUP_KEEP_DAYS: '0',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'production',
    })
    expect(service.mode).toBe('private')
    expect(settings).toEqual({
      mode: 'private',
      removesSample: false,
      hasLimits: false,
      host: '0.0.0.0',
      port: 8080,
      sharePort: false,
      publicUrl: 'https://cards.example',
      isLocal: false,
      dataDir: '/var/cards',
      ledgerDatabase: {
        url: 'postgres://cards:word@db.example/ledger?sslmode=verify-full',
        connections: 20,
      },
      snapshots: {
        bucket: 'cards-eu',
        prefix: 'shop/',
        endpoint: 'http://s3.internal:7070',
        publicEndpoint: 'https://s3.example',
        region: 'eu-central-1',
        accessKeyId: 'id',
        secretAccessKey: 'key',
        sessionToken: 'token',
      },
      catalogSource: undefined,
      upstreamUrl: 'https://mirror.example/root',
      syncOnStart: true,
      exchangeRatesUrl: 'https://bank.example/rates.xml',
      cardmarketUrl: 'https://prices.example/cardmarket',
      accessPolicy: 'strict',
      trustedProxies: 2,
      corsOrigins: ['https://shop.example', 'http://localhost:5173'],
      attemptLimits: { loginEmailIp: 0, loginEmail: 1, loginIp: 2, registerIp: 3, trialIp: 4 },
      registration: 'invite',
      visitors: {
        tier: 'hobby',
        perClient: { requests: 7, cards: 8, records: 9 },
        total: 70,
      },
      indexPictures: false,
      pictureCacheMaxBytes: 0,
      buildBulkFiles: false,
      // Photo workers read all photos, so the server starts no reader.
      identifyWorkers: 0,
      photoWorkers: {
        urls: ['http://10.0.0.5:3100', 'https://reader.example'],
        secret: 'a'.repeat(32),
      },
      blockedCountries: ['FR', 'DE'],
      countryHeader: 'x-country',
      billing: {
        provider: 'stripe',
        secretKey: 'sk_test_1',
        webhookSecrets: ['whsec_new', 'whsec_old'],
        apiUrl: 'https://api.stripe.com',
        prices: { pro: 'price_1', scans_1000: 'price_2' },
      },
      x402: {
        payTo: `0x${'Ab'.repeat(20)}`,
        facilitatorUrl: 'https://facilitator.example',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        assetName: 'USD Coin',
        assetVersion: '2',
        rpcUrl: 'https://mainnet.base.org',
      },
      webhookNetwork: 'loopback-ok',
      loginProvider: undefined,
      requiresConfirmedEmail: false,
      mail: { url: 'smtps://mail.example', from: { name: '', address: 'cards@shop.example' } },
      metricsToken: 'm'.repeat(16),
      appSecret: 'a'.repeat(32),
      backupRetention: { hours: 6, days: 0 },
      backups: { dir: '/mnt/backups', retention: { hours: 6, days: 0 } },
      logLevel: 'silent',
      logFormat: undefined,
      production: true,
    })
  })

  test.each([
    ['loopback-ok', {}],
    ['loopback-ok', { NODE_ENV: 'production' }],
    ['loopback-ok', { HOST: '127.0.0.2', PUBLIC_URL: 'http://cards.localhost:3000' }],
    ['loopback-ok', { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    ['public', { PUBLIC_URL: 'https://cards.example' }],
    ['public', { PUBLIC_URL: 'http://192.168.1.9:3000' }],
    ['public', { PUBLIC_URL: 'http://localhost.cards.example' }],
    ['public', { HOST: '0.0.0.0' }],
    ['public', { HOST: '::' }],
    ['public', { HOST: '192.168.1.9' }],
    ['public', { TRUST_PROXY: '1' }],
    ['public', { WEBHOOK_NETWORK: 'public' }],
    ['loopback-ok', { WEBHOOK_NETWORK: 'loopback-ok', PUBLIC_URL: 'https://cards.example' }],
  ] as const)('alerts go to the network %s with %j', (network, env) => {
    expect(readConfig(env).webhookNetwork).toBe(network)
  })

  test('backups are made within the data folder, elsewhere, or not at all', () => {
    expect(readConfig({ DATA_DIR: '/var/cards' }).backups?.dir).toBe('/var/cards/backups')
    expect(readConfig({ BACKUP_DIR: 'off' }).backups).toBeUndefined()
    expect(() => readConfig({ BACKUP_KEEP_HOURS: '0' })).toThrow('BACKUP_KEEP_HOURS')
  })

  test('pages show nothing to visitors where they are off, and never to none of them', () => {
    expect(readConfig({ VISITOR_TIER: 'off' }).visitors).toBeUndefined()
    expect(faultsOf({ VISITOR_TIER: 'gold', VISITOR_DAILY_REQUESTS: '0' })).toEqual([
      '- VISITOR_TIER is "gold". Use one of off, free, hobby, starter, pro, business.',
      '- VISITOR_DAILY_REQUESTS is "0". Use a whole number from 1 to 1000000.',
    ])
  })

  test('a token of metrics is long, fits in a header, and is not printed', () => {
    for (const METRICS_TOKEN of ['short', 'has blanks in its text', 'mäanderndes-geheimnis']) {
      expect(faultsOf({ METRICS_TOKEN })).toEqual([
        '- METRICS_TOKEN is not valid. Use at least 16 letters, digits or signs, without blanks.',
      ])
    }
  })

  test('the public address follows the port', () => {
    expect(readConfig({ PORT: '4000' }).publicUrl).toBe('http://localhost:4000')
  })

  test('a setting with an empty value is not set', () => {
    const empty = Object.fromEntries(
      [
        'HOST',
        'PORT',
        'PUBLIC_URL',
        'DATA_DIR',
        'UPSTREAM_URL',
        'SYNC_ON_START',
        'ACCESS_POLICY',
        'LOG_LEVEL',
        'NODE_ENV',
      ].map((name) => [name, '']),
    )
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test.each(['1', 'true', 'on', 'yes', 'TRUE', 'On'])('SYNC_ON_START=%s is on', (text) => {
    expect(readConfig({ SYNC_ON_START: text }).syncOnStart).toBe(true)
  })

  test.each(['', '0', 'false', 'off', 'no', 'OFF'])('SYNC_ON_START=%s is off', (text) => {
    expect(readConfig({ SYNC_ON_START: text }).syncOnStart).toBe(false)
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['PORT', ' '],
    ['PUBLIC_URL', 'cards.example'],
    ['PUBLIC_URL', 'ftp://cards.example'],
    ['PUBLIC_URL', 'file:///cards'],
    ['UPSTREAM_URL', '/srv/mirror'],
    ['UPSTREAM_URL', 'javascript:alert(1)'],
    ['SYNC_ON_START', 'perhaps'],
    ['ACCESS_POLICY', 'lenient'],
    ['ACCESS_POLICY', 'STRICT'],
    ['LOG_LEVEL', 'loud'],
    ['PICTURE_CACHE_MB', '-1'],
    ['IDENTIFY_WORKERS', '17'],
    ['IDENTIFY_COUNTRY_HEADER', 'a b'],
    ['BILLING_PROVIDER', 'paypal'],
    ['X402_ASSET', '0x12'],
  ])('%s=%s is a fault that names the setting and what to do', (name, text) => {
    const faults = faultsOf({ [name]: text })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toStartWith(`- ${name} is "${text}". `)
    expect(faults[0]).toMatch(/\. Use .+\.$/)
  })

  test.each([
    ['STRIPE_SECRET_KEY', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['STRIPE_WEBHOOK_SECRET', { STRIPE_SECRET_KEY: 'sk_test_1' }],
    ['X402_PAY_TO', { X402_FACILITATOR_URL: 'https://facilitator.example' }],
    ['X402_FACILITATOR_URL', { X402_PAY_TO: PAYEE }],
  ])('an incomplete group of settings is a fault: %s is missing', (name, env) => {
    expect(faultsOf(env)).toEqual([
      expect.stringMatching(new RegExp(`^- ${name} is missing[.:] .+\\.$`)),
    ])
  })

  test('a network that is not known needs its token and a node', () => {
    const faults = faultsOf({
      X402_PAY_TO: PAYEE,
      X402_FACILITATOR_URL: 'https://facilitator.example',
      X402_NETWORK: 'eip155:31337',
    })
    expect(faults.map((text) => text.split(' ')[1])).toEqual([
      'X402_ASSET',
      'X402_ASSET_NAME',
      'X402_ASSET_VERSION',
      'X402_RPC_URL',
    ])
  })

  test.each([
    [{}, 'manual'],
    [{ BILLING_PROVIDER: 'off' }, 'off'],
    [{ STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, 'stripe'],
    [
      {
        BILLING_PROVIDER: 'manual',
        STRIPE_SECRET_KEY: 'sk_1',
        STRIPE_WEBHOOK_SECRET: 'whsec_1',
      },
      'manual',
    ],
  ])('with %j billing is %s', (env, provider) => {
    expect(readConfig(env).billing).toMatchObject({ provider })
  })

  test('nothing completes itself in production', () => {
    expect(faultsOf({ BILLING_DEV_AUTOPAY: 'on' })).toEqual([])
    expect(faultsOf({ BILLING_DEV_AUTOPAY: 'on', NODE_ENV: 'production' })).toEqual([
      expect.stringContaining('BILLING_DEV_AUTOPAY'),
    ])
  })

  test('countries are two letters each, and need a proxy that reports them', () => {
    expect(faultsOf({ IDENTIFY_BLOCKED_COUNTRIES: 'France', TRUST_PROXY: '1' })).toEqual([
      expect.stringMatching(/^- IDENTIFY_BLOCKED_COUNTRIES contains "FRANCE"\. Use .+\.$/),
    ])
    expect(faultsOf({ IDENTIFY_BLOCKED_COUNTRIES: 'FR' })).toEqual([
      expect.stringContaining('TRUST_PROXY'),
    ])
  })

  test('a shared ledger needs a secret that all servers share, and its password stays unsaid', () => {
    const LEDGER_URL = 'postgres://cards:word@db.example/ledger'
    expect(faultsOf({ LEDGER_URL })).toEqual([
      '- LEDGER_URL requires APP_SECRET. Set the same one on every server.',
    ])
    const faults = faultsOf({ LEDGER_URL: 'mysql://cards:word@db.example', APP_SECRET: SECRET })
    expect(faults).toEqual([
      '- LEDGER_URL is not a PostgreSQL URL. Use postgres://user:password@host/database.',
    ])
    expect(readConfig({ LEDGER_URL, APP_SECRET: SECRET }).ledgerDatabase).toEqual({
      url: LEDGER_URL,
      connections: 10,
    })
  })

  test('the confirmation of addresses needs a mail server', () => {
    const REQUIRE_CONFIRMED_EMAIL = 'true'
    expect(() => readConfig({ REQUIRE_CONFIRMED_EMAIL })).toThrow('requires SMTP_URL')
    const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'cards@shop.example' }
    expect(readConfig({ REQUIRE_CONFIRMED_EMAIL, ...mail }).requiresConfirmedEmail).toBe(true)
  })

  test('a login provider needs all of its settings, and encryption outside of this machine', () => {
    const login = { OIDC_ISSUER: 'https://id.example/realm/', OIDC_CLIENT_ID: 'cards' }
    const env = { ...login, OIDC_CLIENT_SECRET: 'word' }
    expect(readConfig(env).loginProvider).toEqual({
      issuer: 'https://id.example/realm/',
      clientId: 'cards',
      clientSecret: 'word',
      label: 'single sign-on',
    })
    expect(readConfig({ ...env, OIDC_ISSUER: 'http://127.0.0.1:9000' }).loginProvider).toBeDefined()
    expect(() => readConfig(login)).toThrow('OIDC_ISSUER requires OIDC_CLIENT_ID and OIDC_CLIENT')
    expect(() => readConfig({ OIDC_CLIENT_ID: 'cards' })).toThrow('require OIDC_ISSUER')
    const plain = { ...env, OIDC_ISSUER: 'http://id.example' }
    expect(() => readConfig(plain)).toThrow('OIDC_ISSUER is not encrypted')
    const labeled = { ...env, OIDC_LABEL: '<b>' }
    expect(() => readConfig(labeled)).toThrow('OIDC_LABEL')
  })

  test('mail needs a server and a sender, and its password stays unsaid', () => {
    const SMTP_URL = 'smtp://cards:word@mail.example:587'
    expect(faultsOf({ SMTP_URL })).toEqual([
      '- SMTP_URL requires MAIL_FROM, the sender of all mail.',
    ])
    expect(faultsOf({ MAIL_FROM: 'cards@shop.example' })).toEqual([
      '- MAIL_FROM requires SMTP_URL, the server that sends the mail.',
    ])
    expect(faultsOf({ SMTP_URL: 'http://cards:word@mail.example', MAIL_FROM: 'Cards' })).toEqual([
      '- SMTP_URL is not the URL of a mail server. Use smtp://user:password@host:587.',
      '- MAIL_FROM is "Cards". Use an address such as Cards <cards@shop.example>.',
    ])
    for (const address of ['(c)cards@shop.example', 'cards@[127.0.0.1]', 'g:cards@shop.example;']) {
      const MAIL_FROM = `Cards <${address}>`
      expect(faultsOf({ SMTP_URL, MAIL_FROM })).toEqual([
        `- MAIL_FROM is "${MAIL_FROM}". Use an address such as Cards <cards@shop.example>.`,
      ])
    }
    expect(readConfig({ SMTP_URL, MAIL_FROM: 'Cards & Prices <cards@shop.example>' }).mail).toEqual(
      {
        url: SMTP_URL,
        from: { name: 'Cards & Prices', address: 'cards@shop.example' },
      },
    )
  })

  test('a fleet has its backups in the bucket, unless a folder is named', () => {
    const fleet = {
      LEDGER_URL: 'postgres://cards@db.example/ledger',
      APP_SECRET: SECRET,
      SNAPSHOTS_URL: 's3://cards',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      BACKUP_KEEP_DAYS: '30',
    }
    expect(readConfig(fleet)).toMatchObject({ backups: undefined, backupRetention: { days: 30 } })
    expect(readConfig({ ...fleet, BACKUP_DIR: '/mnt/backups' }).backups?.dir).toBe('/mnt/backups')
  })

  test('photo workers need addresses and a secret', () => {
    expect(faultsOf({ READERS: 'http://10.0.0.5:3100' })).toEqual([
      '- READERS requires APP_SECRET. Set it to that of the photo workers.',
    ])
    expect(faultsOf({ READERS: '10.0.0.5', APP_SECRET: SECRET })).toEqual([
      '- READERS contains "10.0.0.5". Use URLs such as http://10.0.0.5:3100.',
    ])
  })

  test('of a photo worker ignore those of a server, and need the secret of the servers', () => {
    const env = { READERS: 'http://10.0.0.5:3100', PUBLIC_URL: 'x', IDENTIFY_WORKERS: '3' }
    expect(readWorkerConfig({ ...env, APP_SECRET: SECRET })).toEqual({
      host: '127.0.0.1',
      port: 3100,
      sharePort: false,
      dataDir: resolve('./data/run'),
      logLevel: 'info',
      identifyWorkers: 3,
      appSecret: SECRET,
      pictureSource: undefined,
    })
    const bucket = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', APP_SECRET: SECRET }
    for (const name of ['SNAPSHOTS_URL', 'CATALOG_FROM']) {
      expect(readWorkerConfig({ ...bucket, [name]: 's3://cards/shop' })).toMatchObject({
        pictureSource: { bucket: 'cards', prefix: 'shop/' },
      })
    }
    expect(() => readWorkerConfig({})).toThrow('- APP_SECRET is missing.')
    expect(() => readWorkerConfig({ APP_SECRET: SECRET, IDENTIFY_WORKERS: '0' })).toThrow(
      '- IDENTIFY_WORKERS is 0. Use',
    )
  })

  test('are read from the given values, not from the machine', () => {
    expect(readConfig({ PORT: '1234' }).port).toBe(1234)
    expect(readConfig(Object.freeze({})).port).toBe(3000)
  })
})
