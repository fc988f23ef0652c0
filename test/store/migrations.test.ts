// A migration that has run somewhere must never change: other files would have another schema under the
// same version. A new migration is added here with its hash.
import { expect, test } from 'bun:test'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'

/** SHA-256 of each file, in hexadecimal. */
const COMMITTED: Record<string, string> = {
  'catalog/0001-catalog': '920fe0dbb0496d9a546135fa22d78fd33fe9a0addb1f86894b7e29e25775654a',
  'catalog/0002-search': '6348ac596c5e73430919a25fbb4b296f751d7dec96002a7ddc3ad31904b09096',
  'catalog/0003-pictures': '3b36e857a59bf94c51305cd2892ddd0d826191234c114beba4437dcb6dfbe720',
  'catalog/0004-print': '2f430bde1cd27f3718460c769250895f66761fa30e2b301fd05423c5830bee5c',
  'catalog/0005-number-shapes': 'bf73362c060629c22ea45dd06106aab042ee1d466dbec934b3a1224f910809e1',
  'catalog/0006-updated-at': '16a8e657d4fd8d5e156ac7c3f79ef5d0c79ad33d7a8552ec56d8590e286a46b1',
  'catalog/0007-names': '7c297d93226365d83405bd816bf60723f5c98b7829f7eac79207481fb7bed661',
  'catalog/0008-alerts': '543d418aee927fcb646edc005ef70a2564ef6c3c8dd5bd174c4705bc79f13e85',
  'catalog/0009-installation': '7e36b72902e84bf0db26b799f4f510ae343cbc458acbfe850d60c541989b149e',
  'ledger/0001-accounts': '06bcfe5438d348a865d1a7815887fe1a952755c41a0d00ec5e847b2348bcbf0b',
  'ledger/0002-access-version': '588d164417db9df7015baa09b8202a3a0f85b646d35bca1c560e5b0de1c6ed30',
  'ledger/0003-sessions': 'e00a528e0de3cd40df8b7646c585ea5216c22d458acc62351c97654981fef016',
  'ledger/0004-scans': '4b07ae8e87f56445151b40751055f898dc3244eb7fbc7a16b65dd9dac704e354',
  'ledger/0005-billing': '6927f57867549203336a093500dbd98e6f3c51485f39ffed4ca98dde79e2e6d3',
  'ledger/0006-photo-payments': '0d99c7119d5e3aa59b3e1b9ef806ea4a1da2f8e97dda2bc5ad43f2672b518c36',
  'ledger/0007-webhooks': 'f3499eb85cd64b70021ddffef2ea76c1af0ce41fa68767be1b7d89e57275b2df',
  'ledger/0008-operators': 'd2f88ed8225102e30c17a95ea289b017cae7f6fc467ae0f931793e4e4bcca1c4',
  'ledger/0009-login-places': '22060d65bf3b9f45f68783d1593f54b4e60009a224df0f699269fd81281acb62',
  'ledger/0010-delivery-indexes':
    '060daac9a19de8a48ee36a1675c1bb4219169ed6fd1c539f437ece47380d2de6',
  'ledger/0011-installation': '71fd0a4816c1e74fc7272a2b78f89e1e45899b83d1d88ddc210a901dea2a6ec2',
  'ledger/0012-subscription-anchor':
    'aa7677d236a6152f9af5bbb0a7fc2caf946fcde5ad9db50f40bee78e74d8d3f0',
  'ledger/0013-email-skeletons': '2f92a8397448e94bf5b9bc6242fb42d151ff3ed0c0a31a12d762cac3f2ff9056',
  'catalog/0010-lost-games': '4726d283322096fa107e2c95f9e71d9d28b983b5281a36f9db40c37370a534c9',
  'ledger/0014-invitations': '036c7bdf0873febe4867215a2078bbab929a5a0692bf6fb7604d2cb2a1685b2f',
  'ledger/0015-purge-indexes': 'f49f67fcada403427ddb0575f56b0db46070375c7414370826b9012783312c32',
  'ledger/0016-usage-granted': '3dee7b9f156679c18f1b168ddf423c9b2fe8730651c85a9cd97f6b78bbcbca0c',
  'ledger/0017-job-leases': '1556c463b9575018aa3f2335f4069733319ff847e52a756155909379f5efd65b',
  'ledger/0018-service-settings':
    '5d636fc825aec18620827545d3f12c94f76d2ef243d0c3cd908ca5ae347c07a2',
  'ledger/0021-webhook-currency':
    '350fcf357c98a80fc32e6bd0e92566aac4283479293bf30e8b691523645415f7',
  'ledger/0020-collections': '962a9f3e6855e0fa39d309115d76a853be7ce0189613f1efa0bef864f0f23b8a',
  'ledger/0022-price-alerts': 'b6cff95048b180f831c4280708a0e7732ec0b65e1ac9263c2ed3b3064f5f41a8',
  'ledger/0023-alert-channels': 'a3515da195255e29208aca48bc5921d67689ff5546f0ab904a72dfe0463b4685',
  'ledger/0024-session-origins': '76c14fb0665f89fe4830309e3c297254a084b139918e6a8882939b6c6c71ad25',
  'ledger/0025-deleted-accounts':
    'b970928c30639bac0c0cf36cf7af4b45d110c15f8a0587eee4358a5676660765',
  'ledger/0026-logins': '991afe05c18ecbf66479c7401723b3b3420c7acbc1ab774c1ccf34be01c12730',
  'ledger/0027-scan-sessions': '3872e4355d483b6f62aa57ca07c2b61ff232d8d9be839c6988c8a91f40ca7e75',
  'catalog/0011-base-printing': '5b2b90bc70a531729dd3f8bdedcb9b1b27d2cf63be15a24ed7354f613a6c8a6f',
  'catalog/0012-entities': '1a931f84bc26ff361cc70a088ea9c5c26273db9ab5279fca5b30d8063a663ce3',
  'catalog/0013-search-contexts':
    '4c5de99fe4eb272769390aa13288b34c3eca52492dde16936ca4a6aa5ed41c02',
  'catalog/0014-set-keys': 'e20788814cbfdd4e81fb468fdc6f476377e772654ccfe810c7f6626f8500ce79',
  'catalog/0015-name-prices': '4185734bc8eda4e9013a7987dc3ca44748730be9e6a26d704b110b79b923ad76',
  'catalog/0016-price-changes': '1e3b2278422a72990e0986b4c48dedf85c0303c169d7e52b425f32ef0b10510b',
  'catalog/0017-search-by-card': 'faf4da3e4a310a03b3a2d43a10e90a1eef729890b96de401fdbd2a910b3ba7da',
  'catalog/0018-sync-reads': '6a6dc347fd63b1d743fc6dc105a4ecb3752ec24d83ebb5d6cfb9a927effa0b45',
  'catalog/0019-closed-history': '8d897acd1eb3b1d38655a0ee1c751e51c399edefe681ea372b400b8e59a6c333',
  'catalog/0020-price-sources': '6f33c85333beba997689ab96ae28db999d53e87577e26e92c5e98a56416a0cb6',
  'catalog/0021-exchange-rates': '126ebb796c2892ef92e03c657f0a8baa29ed4873f4883a433bd4c18976c190d9',
  'ledger/0019-webhook-confidence':
    '3fc87bf6e7cb772d32553e3c665ac0ab4c16eaf824710817323e8bc25ee2d86b',
  'catalog/0025-source-movers': '953497c42b620b636267d96b9a3a30793e3f5a463a4d99e5c3aba208ab21e108',
  'catalog/0023-card-ids': '84f7954ec3b12d845957116cb1084a1043fe54335a24499f435bf1c568b8720a',
  'catalog/0024-price-confidence':
    '771ddfa10ec19b7a921d1c4a89f3a024f964f1e72dce19e838ac1ea2a9548446',
  'catalog/0022-source-products':
    '7d1e00c670191958832e6e9ad74f8a414abd35cc903ce73f997bf26df06bd2ec',
}

test('a committed migration is never changed or removed, and a new one is listed', () => {
  const found = [
    ...CATALOG_MIGRATIONS.map((step) => ['catalog', step] as const),
    ...LEDGER_MIGRATIONS.map((step) => ['ledger', step] as const),
  ].map(([file, { name, sql }]) => [
    `${file}/${name}`,
    new Bun.CryptoHasher('sha256').update(sql).digest('hex'),
  ])
  expect(Object.fromEntries(found)).toEqual(COMMITTED)
})
