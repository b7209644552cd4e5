/**
 * The value of `Host`: a name or an address, with an optional port. Other forms that a URL parser accepts are refused.
 */
import { parseIp } from '#addresses';

const name = /^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?$/;
const nameBytesMax = 253;
const port = /^[0-9]{1,5}$/;
const portMax = 65_535;

export interface Authority {
  /** In lower case, without a trailing dot; IPv6 in brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

/** The last value that was read: most requests are for the same host as the one before. */
let last: { readonly value: string; readonly authority: Authority | undefined } | undefined;

export function parseAuthority(value: string): Authority | undefined {
  if (last?.value !== value) last = { value, authority: readAuthority(value) };
  return last.authority;
}

function readAuthority(value: string): Authority | undefined {
  const hostEnd = value.startsWith('[')
    ? value.indexOf(']') + 1
    : replaceMissing(value.indexOf(':'), value.length);
  const host = normaliseHost(value.slice(0, hostEnd));
  if (host === undefined) return undefined;
  if (hostEnd === value.length) return { host, port: undefined };
  const digits = value.slice(hostEnd + 1);
  if (value[hostEnd] !== ':' || !port.test(digits)) return undefined;
  const number = Number(digits);
  return number === 0 || number > portMax ? undefined : { host, port: number };
}

function replaceMissing(index: number, otherwise: number): number {
  return index === -1 ? otherwise : index;
}

function normaliseHost(text: string): string | undefined {
  if (text.startsWith('[')) {
    const inside = text.slice(1, -1);
    return inside.includes(':') && parseIp(inside) !== undefined ? text.toLowerCase() : undefined;
  }
  if (text.length > nameBytesMax || !name.test(text)) return undefined;
  const lower = text.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
