/** `Headers` in storage, in workerd's layout. */
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { ValueFormatError } from './errors.ts';

export const headersClass = 4;
/** A `Headers` that any code may change, as opposed to one that belongs to a request or response. */
const guardNone = 3;
/** workerd abbreviates common names to a number. Zero means that the name follows in full, as it always does here. */
const nameInFull = 0;

/** The abbreviated ones, from number 1 on. */
const commonNames =
  `accept-charset accept-encoding accept-language accept-ranges accept access-control-allow-origin age
allow authorization cache-control content-disposition content-encoding content-language content-length content-location
content-range content-type cookie date etag expect expires from host if-match if-modified-since if-none-match if-range
if-unmodified-since last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh
retry-after server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate`.split(
    /\s+/,
  );

export function writeHeaders(headers: Headers, out: ByteWriter): void {
  const entries = [...headers];
  out.varint(guardNone);
  out.varint(entries.length);
  for (const [name, text] of entries) {
    out.varint(nameInFull);
    out.utf8(name);
    out.utf8(text);
  }
}

export function readHeaders(input: ByteReader): Headers {
  const headers = new Headers();
  input.varint();
  for (let left = input.varint(); left > 0; left--) {
    const number = input.varint();
    const name = number === nameInFull ? input.utf8() : commonNames[number - 1];
    if (name === undefined)
      throw new ValueFormatError(`a stored value holds Headers with the unknown name ${number}`);
    const text = input.utf8();
    try {
      headers.append(name, text);
    } catch (cause) {
      throw new ValueFormatError('a stored value holds Headers that are not valid', { cause });
    }
  }
  return headers;
}
