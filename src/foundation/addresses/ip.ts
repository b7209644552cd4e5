/** IP addresses as numbers: parsing, formatting and order. */

/**
 * An address. IPv4 is one unsigned 32-bit number in `w0` (the other words are 0), IPv6 is four, most significant first. So a
 * range test of IPv4 is two number comparisons, and comparing the words in order compares addresses. A v4-mapped IPv6
 * address stays IPv6: the code that creates the request converts it to IPv4 before rules run.
 */
export class Ip {
  readonly family: 4 | 6;
  readonly w0: number;
  readonly w1: number;
  readonly w2: number;
  readonly w3: number;

  constructor(family: 4 | 6, w0: number, w1 = 0, w2 = 0, w3 = 0) {
    this.family = family;
    this.w0 = w0;
    this.w1 = w1;
    this.w2 = w2;
    this.w3 = w3;
  }

  toString(): string {
    return formatIp(this);
  }
}

/** Negative, zero or positive, by number. Both addresses must be of the same family. */
export function compareIp(a: Ip, b: Ip): number {
  return a.w0 - b.w0 || a.w1 - b.w1 || a.w2 - b.w2 || a.w3 - b.w3;
}

export function isEqualIp(a: Ip, b: Ip): boolean {
  return a.family === b.family && a.w0 === b.w0 && a.w1 === b.w1 && a.w2 === b.w2 && a.w3 === b.w3;
}

/** Parses one address in strict form (no leading zeros, no zone, no prefix length); undefined for anything else. */
export function parseIp(text: string): Ip | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

function parseIpv4(text: string): Ip | undefined {
  const number = parseIpv4Number(text);
  return number === undefined ? undefined : new Ip(4, number);
}

function parseIpv4Number(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  let number = 0;
  for (const part of match.slice(1)) {
    if ((part.length > 1 && part.startsWith('0')) || Number(part) > 255) return undefined;
    number = number * 256 + Number(part);
  }
  return number;
}

const groupsInIpv6 = 8;

function parseIpv6(text: string): Ip | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1]!, true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = groupsInIpv6 - head.length - tail.length;
  // `::` stands for at least one group.
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const all = [...head, ...Array<number>(missing).fill(0), ...tail];
  const word = (index: number): number => all[index]! * 0x1_0000 + all[index + 1]!;
  return new Ip(6, word(0), word(2), word(4), word(6));
}

/** The 16-bit groups of one side of `::`. Only the side that ends the address may end in dotted IPv4 form. */
function parseGroups(text: string, isLast: boolean): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const v4 = isLast && index === parts.length - 1 ? parseIpv4Number(part) : undefined;
    if (v4 === undefined) return undefined;
    groups.push(Math.floor(v4 / 0x1_0000), v4 % 0x1_0000);
  }
  return groups.length > groupsInIpv6 ? undefined : groups;
}

/** The canonical text: RFC 5952, with the dotted form at the end of a v4-mapped address. */
export function formatIp(ip: Ip): string {
  if (ip.family === 4) return formatDotted(ip.w0);
  if (ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff) return `::ffff:${formatDotted(ip.w3)}`;
  const groups = [ip.w0, ip.w1, ip.w2, ip.w3].flatMap((word) => [
    Math.floor(word / 0x1_0000),
    word % 0x1_0000,
  ]);
  const { start, length } = findLongestZeros(groups);
  const hex = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  // A single zero group is not shortened.
  if (length < 2) return hex(groups);
  return `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`;
}

function formatDotted(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join('.');
}

function findLongestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > best.length) best = { start, length: end - start };
  }
  return best;
}
