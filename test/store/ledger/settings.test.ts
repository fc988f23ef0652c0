import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readConfig } from '#config.ts'
import { openSettingStore, type SettingStore } from '#store/ledger/settings.ts'
import { openLiveConfig } from '#store/memory/live-config.ts'
import { ENGINES, type TestEngines } from '../../support/ledger/engines.ts'

const NOW = new Date(1_800_000_000_000)

describe.each(ENGINES)('choices of the operator on %s', (_name, open) => {
  let ledger: TestEngines
  let stores: SettingStore[]

  beforeAll(async () => {
    ledger = await open()
    stores = ledger.engines.map(openSettingStore)
  })
  afterAll(() => ledger.close())

  test('take effect at once, and on another server when it looks again', async () => {
    const [here, there] = await Promise.all(
      [0, 1].map((index) => openLiveConfig(readConfig({}), stores[index] as SettingStore)),
    )
    if (here === undefined || there === undefined) throw new Error('no live settings')
    let changes = 0
    there.onChange(() => changes++)
    expect(there.read()).toMatchObject({ mode: 'community', hasLimits: true })
    expect(there.read().billing.provider).toBe('manual')

    await here.store({ mode: 'private', mirror: 'https://mirror.example' }, NOW)
    expect(here.read()).toMatchObject({ mode: 'private', upstreamUrl: 'https://mirror.example' })
    expect(there.read().mode).toBe('community')
    await there.refresh()
    await there.refresh()
    expect(changes).toBe(1)
    expect(there.read()).toMatchObject({
      mode: 'private',
      hasLimits: false,
      registration: 'closed',
      visitors: undefined,
      upstreamUrl: 'https://mirror.example',
      billing: { provider: 'off' },
    })

    await there.store({ mirror: null, indexPictures: false, isSetUp: true }, NOW)
    expect(there.readStored()).toEqual({
      mode: 'private',
      mirror: null,
      indexPictures: false,
      isSetUp: true,
    })
    expect(there.read()).toMatchObject({ upstreamUrl: undefined, indexPictures: false })
  })

  test('yield to the environment', async () => {
    const env = {
      SERVICE_MODE: 'community',
      REGISTRATION: 'invite',
      VISITOR_TIER: 'hobby',
      UPSTREAM_URL: 'https://own.example',
      INDEX_PICTURES: 'on',
      BILLING_PROVIDER: 'manual',
    }
    const settings = await openLiveConfig(readConfig(env), stores[0] as SettingStore)
    await settings.store(
      { mode: 'private', mirror: 'https://b.example', indexPictures: false },
      NOW,
    )
    expect(settings.read()).toMatchObject({
      mode: 'community',
      hasLimits: true,
      registration: 'invite',
      indexPictures: true,
      upstreamUrl: 'https://own.example',
      visitors: { tier: 'hobby' },
      billing: { provider: 'manual' },
    })
  })
})
