/**
 * The name and the protocols that a TLS client requests, read from its first message (RFC 8446, section 4.1.2) before
 * the handshake starts. OpenSSL chooses versions and cipher suites before it asks for the context of a name, so the
 * context must be known by then. The rest of the message is not read: the handshake refuses malformed messages.
 */

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;
const protocolsExtension = 16;

/** A longer message only wastes memory: keys of post-quantum exchanges take about 2 KiB. */
const helloBytesMax = 16 * 1024;

export interface Hello {
  /** Undefined if the client sends no name. */
  readonly name: string | undefined;
  /** By ALPN (RFC 7301), in the client's order of preference. */
  readonly protocols: readonly string[];
}

const nothing: Hello = { name: undefined, protocols: [] };

/** Empty if the bytes are not such a message. */
export function readHello(bytes: Buffer): Hello {
  const message = joinRecords(bytes);
  if (message === undefined || message[0] !== clientHello) return nothing;
  try {
    return findExtensions(message);
  } catch (error) {
    if (error instanceof RangeError) return nothing;
    throw error;
  }
}

/** Whether everything has arrived that `readHello` needs. */
export function isHelloComplete(bytes: Buffer): boolean {
  if (bytes.length > helloBytesMax || (bytes.length > 0 && bytes[0] !== handshakeRecord)) return true;
  const message = joinRecords(bytes);
  return message !== undefined && message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3);
}

/** The content of the complete records; undefined if none is complete. */
function joinRecords(bytes: Buffer): Buffer | undefined {
  const contents: Buffer[] = [];
  let offset = 0;
  while (offset + 5 <= bytes.length && bytes[offset] === handshakeRecord) {
    const end = offset + 5 + bytes.readUInt16BE(offset + 3);
    if (end > bytes.length) break;
    contents.push(bytes.subarray(offset + 5, end));
    offset = end;
  }
  return contents.length === 0 ? undefined : contents.length === 1 ? contents[0] : Buffer.concat(contents);
}

/** Throws a `RangeError` where a length leads beyond the message. */
function findExtensions(message: Buffer): Hello {
  let name: string | undefined;
  let protocols: readonly string[] = [];
  // Skips type, length, version and random.
  let offset = 4 + 2 + 32;
  offset += 1 + message.readUInt8(offset);
  offset += 2 + message.readUInt16BE(offset);
  offset += 1 + message.readUInt8(offset);
  const end = offset + 2 + message.readUInt16BE(offset);
  offset += 2;
  while (offset + 4 <= end) {
    const type = message.readUInt16BE(offset);
    const length = message.readUInt16BE(offset + 2);
    if (type === serverNameExtension) {
      // The length of the list and the type of its one entry precede the name.
      const nameLength = message.readUInt16BE(offset + 7);
      name = message.toString('latin1', offset + 9, offset + 9 + nameLength);
    } else if (type === protocolsExtension) {
      protocols = readProtocols(message.subarray(offset + 6, offset + 4 + length));
    }
    offset += 4 + length;
  }
  return { name, protocols };
}

/** Each entry has a length byte. */
function readProtocols(list: Buffer): string[] {
  const protocols: string[] = [];
  for (let offset = 0; offset < list.length; offset += 1 + list[offset]!) {
    protocols.push(list.toString('latin1', offset + 1, offset + 1 + list[offset]!));
  }
  return protocols;
}
