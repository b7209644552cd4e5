/**
 * Names of origins, as rules and page rules write them: without characters that could end a line or be read as a URL.
 */
import { parseIp } from '#addresses';

const name = /^(?:[A-Za-z0-9_-]{1,63}\.)*[A-Za-z0-9_-]{1,63}$/;
const port = /:([1-9][0-9]{0,4})$/;

/** A name or an address. */
export function isHost(text: string): boolean {
  return (text.length <= 253 && name.test(text)) || parseIp(text) !== undefined;
}

/** A name with an optional port, as in `Host`. */
export function isHostWithPort(text: string): boolean {
  const [ending = '', digits = '0'] = port.exec(text) ?? [];
  const host = text.slice(0, text.length - ending.length);
  return host.length <= 253 && name.test(host) && Number(digits) <= 65_535;
}
