/** The value of `Host`: a name or an address, and perhaps a port. Nothing that a URL parser could take for more. */
import { parseIp } from '#base';

const name = /^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}\.?$/;
const nameBytesMax = 253;
const port = /^[0-9]{1,5}$/;
const portMax = 65_535;

export interface Authority {
  /** Lower case, without a trailing dot; IPv6 in brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

export function parseAuthority(value: string): Authority | undefined {
  const hostEnd = value.startsWith('[') ? value.indexOf(']') + 1 : indexOr(value.indexOf(':'), value.length);
  const host = hostOf(value.slice(0, hostEnd));
  if (host === undefined) return undefined;
  if (hostEnd === value.length) return { host, port: undefined };
  const digits = value.slice(hostEnd + 1);
  if (value[hostEnd] !== ':' || !port.test(digits)) return undefined;
  const number = Number(digits);
  return number === 0 || number > portMax ? undefined : { host, port: number };
}

function indexOr(index: number, otherwise: number): number {
  return index === -1 ? otherwise : index;
}

function hostOf(text: string): string | undefined {
  if (text.startsWith('[')) {
    const inside = text.slice(1, -1);
    return inside.includes(':') && parseIp(inside) !== undefined ? text.toLowerCase() : undefined;
  }
  if (text.length > nameBytesMax || !name.test(text)) return undefined;
  const lower = text.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}
