/**
 * The host names for which the page answers. An external site can point its own name to this machine, and then its
 * scripts have the same origin as their requests here. That is impossible with an address, or with a name of another
 * owner.
 */
import { isIP } from 'node:net';

export function isKnownHost(header: string | undefined, hosts: readonly string[]): boolean {
  if (header === undefined) return false;
  const name = header.replace(/:\d*$/, '').toLowerCase();
  const address = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return isIP(address) !== 0 || name === 'localhost' || hosts.includes(name);
}
