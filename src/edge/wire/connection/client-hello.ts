/**
 * The name that a TLS client asks for, read from its first message (RFC 8446, section 4.1.2) before the handshake begins.
 * OpenSSL chooses versions and cipher suites before it asks for the context of a name, so the context has to be known by
 * then. Nothing else of the message is read: what is malformed, the handshake refuses.
 */

const handshakeRecord = 22;
const clientHello = 1;
const serverNameExtension = 0;

/** A message is longer only to waste memory: keys of post-quantum exchanges take about 2 KiB. */
const helloBytesMax = 16 * 1024;

/** Undefined if there is none, or if this is no such message. */
export function readHelloName(bytes: Buffer): string | undefined {
  const message = joinRecords(bytes);
  if (message === undefined || message[0] !== clientHello) return undefined;
  try {
    return findName(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether everything has arrived that `readHelloName` needs. */
export function isHelloComplete(bytes: Buffer): boolean {
  if (bytes.length > helloBytesMax || (bytes.length > 0 && bytes[0] !== handshakeRecord)) return true;
  const message = joinRecords(bytes);
  return message !== undefined && message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3);
}

/** The content of the records that are complete; undefined if none is. */
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
function findName(message: Buffer): string | undefined {
  // Type, length, version and random come first.
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
      // The length of the list and the type of its one entry come before the name.
      const nameLength = message.readUInt16BE(offset + 7);
      return message.toString('latin1', offset + 9, offset + 9 + nameLength);
    }
    offset += 4 + length;
  }
  return undefined;
}
