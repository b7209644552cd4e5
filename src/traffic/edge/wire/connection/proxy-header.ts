/**
 * The PROXY protocol header, versions 1 and 2, with which a load balancer starts a connection to report its client. It
 * precedes everything else, including TLS. Only its addresses are read.
 *
 * Input is a complete header, the start of one, or not a header: the reader never guesses, because a client that could
 * pass as a load balancer could choose its address.
 */
import { parseIp } from '#addresses';
import { proxyHeaderBytesMax } from '../limits.ts';

export interface ProxiedAddresses {
  readonly clientAddress: string;
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly serverPort: number;
}

export interface ProxyHeader {
  /** Undefined if the connection is the load balancer's own, as for a health check, or it does not know the client. */
  readonly addresses: ProxiedAddresses | undefined;
  /** Length of the header; the bytes after it are the client's. */
  readonly length: number;
}

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const textPrefix = Buffer.from('PROXY ', 'latin1');

/** With two full IPv6 addresses and the end of the line. */
const textBytesMax = 107;
const headBytes = 16;

/** `more` if the bytes can be the start of a header. */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'more' | 'malformed' {
  if (begins(bytes, signature)) return readBinary(bytes);
  if (begins(bytes, textPrefix)) return readText(bytes);
  return 'malformed';
}

/** Compares the bytes that have arrived. */
function begins(bytes: Buffer, with_: Buffer): boolean {
  const length = Math.min(bytes.length, with_.length);
  return bytes.subarray(0, length).equals(with_.subarray(0, length));
}

function readText(bytes: Buffer): ProxyHeader | 'more' | 'malformed' {
  const end = bytes.subarray(0, textBytesMax).indexOf('\r\n');
  if (end === -1) return bytes.length < textBytesMax ? 'more' : 'malformed';
  const length = end + 2;
  const [, kind, clientAddress, serverAddress, clientPort, serverPort, ...rest] = bytes
    .toString('latin1', 0, end)
    .split(' ');
  if (kind === 'UNKNOWN') return { addresses: undefined, length };
  const family = kind === 'TCP4' ? 4 : kind === 'TCP6' ? 6 : undefined;
  if (family === undefined || rest.length > 0) return 'malformed';
  const [client, server] = [readAddress(clientAddress, family), readAddress(serverAddress, family)];
  const [from, to] = [readPort(clientPort), readPort(serverPort)];
  if (client === undefined || server === undefined || from === undefined || to === undefined)
    return 'malformed';
  return {
    addresses: { clientAddress: client, clientPort: from, serverAddress: server, serverPort: to },
    length,
  };
}

function readAddress(text: string | undefined, family: 4 | 6): string | undefined {
  const ip = text === undefined ? undefined : parseIp(text);
  return ip?.family === family ? ip.toString() : undefined;
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:0|[1-9]\d{0,4})$/.test(text)) return undefined;
  const port = Number(text);
  return port > 0xffff ? undefined : port;
}

/** Bytes per address, by address family over TCP. */
const addressBytes: Readonly<Record<number, number>> = { 0x11: 4, 0x21: 16 };

function readBinary(bytes: Buffer): ProxyHeader | 'more' | 'malformed' {
  if (bytes.length < headBytes) return 'more';
  const version = bytes[12]! >> 4;
  const command = bytes[12]! & 0x0f;
  const length = headBytes + bytes.readUInt16BE(14);
  if (version !== 2 || command > 1 || length > proxyHeaderBytesMax) return 'malformed';
  const size = addressBytes[bytes[13]!];
  const isKnown = command === 1 && size !== undefined;
  if (isKnown && length < headBytes + 2 * size + 4) return 'malformed';
  if (bytes.length < length) return 'more';
  return { addresses: isKnown ? readAddresses(bytes.subarray(headBytes, length), size) : undefined, length };
}

function readAddresses(block: Buffer, size: number): ProxiedAddresses {
  return {
    clientAddress: formatAddress(block.subarray(0, size)),
    serverAddress: formatAddress(block.subarray(size, 2 * size)),
    clientPort: block.readUInt16BE(2 * size),
    serverPort: block.readUInt16BE(2 * size + 2),
  };
}

function formatAddress(bytes: Buffer): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16));
  return parseIp(groups.join(':'))!.toString();
}
