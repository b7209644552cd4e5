/** A plain Map that behaves as an object's storage should, and the steps to test both with. */
import * as fc from 'fast-check';

export interface Range {
  readonly start?: string;
  readonly startAfter?: string;
  readonly end?: string;
  readonly prefix?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export type Write =
  | { readonly op: 'put'; readonly key: string; readonly value: unknown }
  | { readonly op: 'putMany'; readonly entries: ReadonlyArray<readonly [string, unknown]> }
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'deleteMany'; readonly keys: readonly string[] }
  | { readonly op: 'deleteAll' };

export type Step =
  | Write
  | { readonly op: 'get'; readonly key: string }
  | { readonly op: 'getMany'; readonly keys: readonly string[] }
  | { readonly op: 'list'; readonly options: Range }
  | {
      readonly op: 'transaction';
      readonly writes: ReadonlyArray<Exclude<Write, { op: 'deleteAll' }>>;
      readonly options: Range;
      readonly commit: boolean;
    }
  | { readonly op: 'restart' | 'abort' | 'evict' };

/** The bytes of a key, lone surrogates as the three bytes they would have. */
function bytesOf(key: string): string {
  const bytes: number[] = [];
  for (const char of key) {
    const point = char.codePointAt(0)!;
    if (point >= 0xd800 && point <= 0xdfff)
      bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(...Buffer.from(char));
  }
  return Buffer.from(bytes).toString('latin1');
}

export class Model {
  /** By bytes of the key. */
  #values = new Map<string, { readonly key: string; readonly value: unknown }>();

  perform(step: Step): unknown {
    switch (step.op) {
      case 'get':
        return this.#values.get(bytesOf(step.key))?.value;
      case 'getMany':
        return this.#getMany(step.keys);
      case 'list':
        return this.#list(step.options);
      case 'transaction':
        return this.#transaction(step);
      case 'restart':
      case 'abort':
      case 'evict':
        return undefined;
      default:
        return this.#write(step);
    }
  }

  #write(write: Write): unknown {
    switch (write.op) {
      case 'put':
        return this.#put(write.key, write.value);
      case 'putMany':
        for (const [key, value] of Object.entries(Object.fromEntries(write.entries))) this.#put(key, value);
        return undefined;
      case 'delete':
        return this.#values.delete(bytesOf(write.key));
      case 'deleteMany':
        return write.keys.filter((key) => this.#values.delete(bytesOf(key))).length;
      case 'deleteAll':
        return this.#values.clear();
    }
  }

  #put(key: string, value: unknown): undefined {
    this.#values.set(bytesOf(key), { key, value });
  }

  #getMany(keys: readonly string[]): Map<string, unknown> {
    const found = keys.map(bytesOf).filter((bytes) => this.#values.has(bytes));
    return new Map(
      found.toSorted().map((bytes) => [this.#values.get(bytes)!.key, this.#values.get(bytes)!.value]),
    );
  }

  #list(options: Range): Map<string, unknown> {
    const start = bytesOf(options.start ?? '');
    const rows = [...this.#values].filter(
      ([bytes]) =>
        bytes >= start &&
        (options.startAfter === undefined || bytes > bytesOf(options.startAfter)) &&
        (options.end === undefined || bytes < bytesOf(options.end)) &&
        bytes.startsWith(bytesOf(options.prefix ?? '')),
    );
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    if (options.reverse === true) rows.reverse();
    // Keys with unpaired surrogates cannot be distinguished in a list, as in workerd.
    return new Map(
      rows
        .slice(0, options.limit)
        .map(([bytes, { value }]) => [Buffer.from(bytes, 'latin1').toString('utf8'), value]),
    );
  }

  #transaction({ writes, options, commit }: Extract<Step, { op: 'transaction' }>): unknown[] {
    const before = new Map(this.#values);
    const answers = [...writes.map((write) => this.#write(write)), this.#list(options)];
    if (!commit) this.#values = before;
    return answers;
  }
}

/** Few keys, so that they collide; with neighbours that only the order of bytes distinguishes. */
const keys = [
  '',
  'a',
  'aa',
  'ab',
  'a\0',
  'a\0b',
  'b',
  'é',
  'éa',
  'z\uffff',
  'z\u{10000}',
  '\u{10ffff}',
  '\ud800',
  'a\udfff',
  '\ud800a',
  '5',
  '__proto__x',
];
const key = fc.constantFrom(...keys);
const shared = { nested: [1, { deep: true }] };
const values: readonly unknown[] = [
  null,
  false,
  -0,
  Number.NaN,
  12n,
  'text',
  '\ud800',
  new Date(5),
  /x/gi,
  new Map<unknown, unknown>([['k', new Set([1, 2])]]),
  new Uint8Array([1, 2, 3]),
  [shared, shared],
  { undefinedInside: undefined, list: [1, , 3] }, // oxlint-disable-line no-sparse-arrays -- holes are kept
];
const value = fc.oneof(fc.constantFrom(...values), fc.string({ maxLength: 300 }), fc.integer());
const range: fc.Arbitrary<Range> = fc
  .record(
    {
      start: key,
      startAfter: key,
      end: key,
      prefix: key,
      reverse: fc.boolean(),
      limit: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  )
  .map(({ startAfter, ...rest }) =>
    startAfter === undefined || rest.start !== undefined ? rest : { ...rest, startAfter },
  );
const someKeys = fc.array(key, { maxLength: 8 });
const innerWrite = fc.oneof(
  { weight: 4, arbitrary: fc.record({ op: fc.constant('put' as const), key, value }) },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('putMany' as const),
      entries: fc.array(fc.tuple(key, value), { maxLength: 8 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('deleteMany' as const), keys: someKeys }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: innerWrite },
  { weight: 1, arbitrary: fc.constant({ op: 'deleteAll' as const }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('get' as const), key }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('getMany' as const), keys: someKeys }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('list' as const), options: range }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('transaction' as const),
      writes: fc.array(innerWrite, { maxLength: 4 }),
      options: range,
      commit: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ op: fc.constantFrom('restart' as const, 'abort' as const, 'evict' as const) }),
  },
);
export const arbitrarySteps = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });
