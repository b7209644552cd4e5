import { isIPv4 } from 'node:net';

/** A valid address as 4 or 16 bytes. */
export function toIpBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser normalises addresses: eight groups in hexadecimal, the longest run of zeros as `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before, after] = canonical.split('::').map(splitGroups);
  const zeros = after === undefined ? 0 : 8 - before!.length - after.length;
  const groups = [...before!, ...Array<string>(zeros).fill('0'), ...(after ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
