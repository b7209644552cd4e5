/** Addresses, and the networks and ranges that a set may contain. */
import type { IpLiteral, IpRange } from '../ast.ts';
import { findLastAddress, maskAddress, compareIp, Ip, parseIp } from '#addresses';
import type { SourceReader } from './reader.ts';

const addressPattern = /[0-9A-Fa-f:./]+/y;
const badAddress = "couldn't parse address in network: invalid IP address syntax";

/** Reads one address in strict form. */
export function readIp(reader: SourceReader): IpLiteral {
  const start = reader.position;
  const value = parseStrictIp(reader, readAddressText(reader), start);
  return { kind: 'Ip', value, span: reader.getSpanFrom(start) };
}

function readAddressText(reader: SourceReader): string {
  const text = reader.takeRun(addressPattern);
  if (text === '') throw reader.refuse('expected_character', 'expected IP address character');
  return text;
}

function parseStrictIp(reader: SourceReader, text: string, start: number): Ip {
  const ip = parseIp(text);
  if (ip === undefined) throw reader.refuse('bad_address', badAddress, { start, end: start + text.length });
  return ip;
}

export interface IpItem {
  readonly range: IpRange;
  /** Written in a short form (`10/8`, `1.1.1.01`) that not all parsers accept. */
  readonly isShort: boolean;
}

/** An item of a set: an address, a network, or two addresses with `..` between them. */
export function readIpItem(reader: SourceReader): IpItem {
  const start = reader.position;
  const text = readAddressText(reader);
  const split = text.indexOf('..');
  if (split === -1) return readNetwork(reader, text, start);
  const first = parseStrictIp(reader, text.slice(0, split), start);
  const last = parseStrictIp(reader, text.slice(split + 2), start + split + 2);
  if (first.family !== last.family || compareIp(first, last) > 0) {
    throw reader.refuse('bad_range', 'incompatible range bounds', reader.getSpanFrom(start));
  }
  return { range: { first, last, prefixLength: undefined, span: reader.getSpanFrom(start) }, isShort: false };
}

function readNetwork(reader: SourceReader, text: string, start: number): IpItem {
  const slash = text.lastIndexOf('/');
  const addressText = slash === -1 ? text : text.slice(0, slash);
  const strict = parseIp(addressText);
  const first = strict ?? parseShortIpv4(addressText);
  const addressSpan = { start, end: start + (text.includes('/') ? text.indexOf('/') : text.length) };
  if (first === undefined) throw reader.refuse('bad_address', badAddress, addressSpan);
  const bits = first.family === 4 ? 32 : 128;
  const length = slash === -1 ? bits : readPrefixLength(reader, text, start);
  if (length > bits) {
    const reason = `Network length ${length} is too long for Ipv${first.family} (maximum: ${bits})`;
    throw reader.refuse('bad_address', `invalid length for network: ${reason}`, reader.getSpanFrom(start));
  }
  const last = findLastAddress(first, length);
  if (compareIp(maskAddress(first, length), first) !== 0) {
    throw reader.refuse('bad_address', 'host part of address was not zero', addressSpan);
  }
  const prefixLength = length === bits ? undefined : length;
  return {
    range: { first, last, prefixLength, span: reader.getSpanFrom(start) },
    isShort: strict === undefined,
  };
}

function readPrefixLength(reader: SourceReader, text: string, start: number): number {
  const digits = text.slice(text.lastIndexOf('/') + 1);
  const problem =
    digits === ''
      ? 'cannot parse integer from empty string'
      : !/^\d+$/.test(digits)
        ? 'invalid digit found in string'
        : Number(digits) > 0xff
          ? 'number too large to fit in target type'
          : undefined;
  if (problem === undefined) return Number(digits);
  const span = { start: start + text.indexOf('/') + 1, end: start + text.length };
  throw reader.refuse('bad_address', `couldn't parse length in network: ${problem}`, span);
}

/** One to four decimal parts, where missing ones are zero: `10`, `172.16`, `1.1.1.01`. */
function parseShortIpv4(text: string): Ip | undefined {
  if (!/^\d+(?:\.\d+){0,3}$/.test(text)) return undefined;
  const parts = text.split('.').map(Number);
  if (parts.some((part) => part > 0xff)) return undefined;
  return new Ip(
    4,
    [0, 1, 2, 3].reduce((number, index) => number * 256 + (parts[index] ?? 0), 0),
  );
}
