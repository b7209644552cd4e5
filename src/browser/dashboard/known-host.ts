/**
 * Which names the page answers to. A site elsewhere can let its own name point to this machine, and then its scripts are of
 * the same origin as what they fetch here. They cannot do that with an address, nor with a name that is not theirs.
 */
import { isIP } from 'node:net';

export function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (header === undefined) return false;
  const name = header.replace(/:\d*$/, '').toLowerCase();
  const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return isIP(address) !== 0 || name === 'localhost' || hosts.includes(name);
}
