/** Random requests for the random expressions: the fields that they name, with values of the same few letters. */
import fc, { type Arbitrary } from 'fast-check';
import {
  arrayOf,
  boolType,
  defineField,
  mapOf,
  type RunOptions,
  scheme,
  type Value,
  type ValueList,
} from '#expressions';
import { type Ip, IpSet, parseIp } from '#addresses';

/** The language with lists of truths, which no real field has. */
export const testScheme = scheme.with({
  fields: [
    defineField('test.flags', arrayOf(boolType)),
    defineField('test.flagmap', mapOf(arrayOf(boolType))),
  ],
});

const ip = (text: string): Ip => parseIp(text)!;
const only = (text: string): { first: Ip; last: Ip } => ({ first: ip(text), last: ip(text) });

/** The lists that the expressions name, one of which does not exist. */
export const runOptions: RunOptions = {
  lists: new Map<string, ValueList>([
    ['office', new IpSet([{ first: ip('10.0.0.0'), last: ip('10.0.0.255') }, only('::1')])],
    ['numbers', new Set<Value>([0, 2, 8])],
  ]),
};

const text = fc.oneof(
  fc.constantFrom('a', 'A', 'b', 'ab', 'Ab', '/a'),
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '/', '\xe9', '%61'), maxLength: 4 }),
);
const texts = fc.array(text, { maxLength: 3 });
const flags = fc.array(fc.boolean(), { maxLength: 3 });
const int = fc.constantFrom(0, 1, 2, -3, 8, 16, 2 ** 53);
const addresses =
  '10.0.0.1 10.0.0.2 10.0.1.1 192.0.2.7 0.0.0.0 255.255.255.255 9.9.9.9 ::1 2001:db8::3 fe80::1';
const address = fc.constantFrom(...addresses.split(' ')).map(ip);

function createKeyed(values: Arbitrary<Value>): Arbitrary<Value> {
  const entry = fc.tuple(fc.constantFrom('x', 'y', 'w'), values);
  return fc.uniqueArray(entry, { selector: ([key]) => key, maxLength: 3 }).map((entries) => new Map(entries));
}

const fields: Record<string, Arbitrary<Value>> = {
  'http.host': text,
  'http.request.uri.path': text,
  'http.user_agent': text,
  'ip.src.country': text,
  'ip.src': address,
  'ip.src.asnum': int,
  'cf.threat_score': int,
  ssl: fc.boolean(),
  'http.request.headers': createKeyed(texts),
  'http.request.headers.names': texts,
  'http.request.headers.values': texts,
  'http.request.body.multipart.names': fc.array(texts, { maxLength: 3 }),
  'test.flags': flags,
  'test.flagmap': createKeyed(flags),
};

/** Some of the fields; the others have their defaults. */
export const knownFields: Arbitrary<ReadonlyMap<string, Value>> = fc
  .record(fields, { requiredKeys: [] })
  .map(
    (known) =>
      new Map(Object.entries(known).filter((entry): entry is [string, Value] => entry[1] !== undefined)),
  );
