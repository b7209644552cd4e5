/**
 * The byte format of stored values, by our code and by V8's own serialiser, in one run: nanoseconds per value, the best
 * of many short turns. The output of both is compared first.
 *
 *     npm run bench -- --only values
 */
import { deepEqual, equal } from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { Deserializer, Serializer } from 'node:v8';
import { decodeValue, encodeValue } from '../../src/runtime/values.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const turns = options.small ? 5 : 1_000;
/** Short enough that the best turn has no garbage collection in it. */
const turnMs = 0.5;

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));
const row = (id: number) => ({ id, name: `name ${id}`, at: 1.7e12 + id, isOpen: true });
const cycle: { self?: unknown; items: unknown[] } = { items: [{ a: 'b' }] };
cycle.self = cycle;

const samples: Readonly<Record<string, unknown>> = {
  'a whole number': 42,
  'a fraction': 1.5,
  'a string of 11': 'hello world',
  'a string of 10,000': 'x'.repeat(10_000),
  'a string of 5,000 beyond Latin-1': '€'.repeat(5_000),
  'an object of 4': { id: 7, name: 'room', isOpen: true, tags: ['a', 'b'] },
  'an object of 30': Object.fromEntries(list(30, (i) => [`key${i}`, i % 3 === 0 ? `value ${i}` : i])),
  '100 whole numbers': list(100, (i) => i),
  '100 strings': list(100, (i) => `item ${i}`),
  '20 objects': list(20, row),
  '1,000 objects': list(1_000, row),
  'a Map of 20': new Map(list(20, (i) => [`k${i}`, i])),
  'a Map of 1,000 objects': new Map(list(1_000, (i) => [`k${i}`, { n: i }])),
  'a Set of 100': new Set(list(100, (i) => `k${i}`)),
  'a Date': new Date(1.7e12),
  '64 bytes': new Uint8Array(64),
  '1,000 doubles': new Float64Array(1_000),
  'an Error': new TypeError('message', { cause: 1 }),
  'a cycle': cycle,
  'a bigint of 100 bits': 2n ** 100n,
};

function encodeNatively(value: unknown): Uint8Array {
  const serializer = new Serializer() as Serializer & {
    _setTreatArrayBufferViewsAsHostObjects(flag: boolean): void;
  };
  serializer.writeHeader();
  serializer._setTreatArrayBufferViewsAsHostObjects(false);
  serializer.writeValue(value);
  return serializer.releaseBuffer();
}

function decodeNatively(bytes: Uint8Array): unknown {
  const deserializer = new Deserializer(bytes);
  deserializer.readHeader();
  return deserializer.readValue();
}

/** The nanoseconds of each function, taking turns. */
function compare(functions: readonly (() => unknown)[]): number[] {
  const counts = functions.map((run) => {
    let count = 1;
    // Three tries, because the machine may be busy with something else in one of them.
    while (Math.min(...list(3, () => elapsedMs(run, count))) < turnMs) count *= 2;
    return count;
  });
  const best = functions.map(() => Infinity);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, run] of functions.entries()) {
      best[i] = Math.min(best[i]!, (elapsedMs(run, counts[i]!) * 1e6) / counts[i]!);
    }
  }
  return best;
}

function elapsedMs(run: () => unknown, count: number): number {
  const start = performance.now();
  for (let i = 0; i < count; i++) run();
  return performance.now() - start;
}

const figure = (ns: number): string => Math.round(ns).toLocaleString('en');

console.log(
  '| value | write: ours | V8 | V8 ÷ ours | read: ours | V8 | V8 ÷ ours |\n|---|---:|---:|---:|---:|---:|---:|',
);
for (const [name, value] of Object.entries(samples)) {
  const bytes = encodeValue(value);
  equal(Buffer.from(bytes).toString('hex'), Buffer.from(encodeNatively(value)).toString('hex'), name);
  deepEqual(decodeValue(bytes), decodeNatively(bytes), name);
  const [write, writeNative, read, readNative] = compare([
    () => encodeValue(value),
    () => encodeNatively(value),
    () => decodeValue(bytes),
    () => decodeNatively(bytes),
  ]) as [number, number, number, number];
  const cells = [
    name,
    figure(write),
    figure(writeNative),
    (writeNative / write).toFixed(2),
    figure(read),
    figure(readNative),
    (readNative / read).toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
