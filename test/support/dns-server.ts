import { getServers, setServers } from 'node:dns'

/** A response (RFC 1035) with an address or an error code. */
const ANSWERED = 0x8180
const HEADER_BYTES = 12
const LOOPBACK = '127.0.0.1'
/** Record type of IPv4 addresses. */
const TYPE_A = 1
/** The requested name, its type and class, a time to live of zero, and the number of bytes that follow. */
const RECORD = [0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4]

export type DnsServerOptions = {
  /** Returns true for names that get no response. */
  isSilent?: (name: string) => boolean
  /** 0: the name has an address. */
  codeOf?: (name: string) => number
  /** Returns the IPv4 address of a name for the first request, the second, …; this machine by default. */
  addressOf?: (name: string, lookups: number) => string
}

/** Starts a name server for the lookups of this process, until it is closed. */
export async function startDnsServer({
  isSilent = () => false,
  codeOf = () => 0,
  addressOf = () => LOOPBACK,
}: DnsServerOptions) {
  const queried = new Set<string>()
  const lookups = new Map<string, number>()
  const server = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(socket, bytes, port, address) {
        const { name, type, question } = questionOf(Buffer.from(bytes))
        queried.add(name)
        if (isSilent(name)) return
        const code = codeOf(name)
        const isKnown = code === 0 && type === TYPE_A
        if (isKnown) lookups.set(name, (lookups.get(name) ?? 0) + 1)
        const record = isKnown
          ? [...RECORD, ...bytesOf(addressOf(name, lookups.get(name) ?? 0))]
          : []
        const head = Buffer.from(question)
        head.writeUInt16BE(ANSWERED | code, 2)
        head.writeUInt16BE(isKnown ? 1 : 0, 6)
        head.writeUInt16BE(0, 8)
        head.writeUInt16BE(0, 10)
        socket.send(Buffer.concat([head, Buffer.from(record)]), port, address)
      },
    },
  })
  const before = getServers()
  setServers([`127.0.0.1:${server.port}`])
  return {
    /** The requested names. */
    queried: queried as ReadonlySet<string>,
    close(): void {
      setServers(before)
      server.close()
    },
  }
}

function bytesOf(address: string): number[] {
  return address.split('.').map(Number)
}

/** Returns the question of a packet, and the packet up to its end. */
function questionOf(packet: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return {
    name: labels.join('.'),
    type: packet.readUInt16BE(at + 1),
    question: packet.subarray(0, at + 5),
  }
}
