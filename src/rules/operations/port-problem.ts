/** Path at which a server states which data folder it serves, and whether it shares its port. */
export const PORT_OWNER_PATH = '/shared-port'

/** Describes in one sentence why a server cannot listen, and how to continue. */
export function describePortProblem(
  code: string,
  { host, port, sharePort }: { host: string; port: number; sharePort: boolean },
): string {
  const name = `port ${port} of ${host}`
  switch (code) {
    case 'EADDRINUSE':
      return sharePort
        ? `Cannot share ${name}: another program listens there, or a server without SHARE_PORT or with another data folder. Stop it, or set another PORT.`
        : `Cannot listen on ${name}: another program or another Cardstock uses it. Stop it, or set another PORT.`
    case 'EACCES':
    case 'EPERM':
      return `Cannot listen on ${name}: this user has no permission. Set PORT to 1024 or higher, and put a proxy in front.`
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Cannot listen on ${name}: this machine has no such address. Set HOST to 127.0.0.1, 0.0.0.0 or an address of this machine.`
    default:
      return `Cannot listen on ${name} (${code}). Set another PORT or HOST.`
  }
}
