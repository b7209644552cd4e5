/**
 * Prototypes are the same for all code of a process, so a Worker can break this program: after `delete
 * Array.prototype.map`, a promise of ours may never settle, and a request may hang. Locking them would cost more than
 * it is worth (docs/decisions/0028-realm.md). Instead the process checks ten times a second whether its builtins exist
 * and work, and ends with a reason if not: its parent, which runs no code of users, starts another one.
 *
 * A Worker may still wrap builtins, as polyfills and tracers do. The code here does not rely on the builtins that it
 * checks.
 */
import { EventEmitter } from 'node:events';
import { writeSync } from 'node:fs';
import { Duplex, Readable, Writable } from 'node:stream';

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const { reallyExit } = process as unknown as { readonly reallyExit: (code: number) => never };
/** The exit code for an internal software error (sysexits.h), as after a failed start. */
const exitCode = 70;
const checkMs = 100;

const owners: Readonly<Record<string, object>> = {
  ...{
    Object,
    Array,
    JSON,
    Math,
    Reflect,
    Promise,
    Buffer,
    Date,
    Number,
    String,
    Atomics,
    URL,
    ArrayBuffer,
    Symbol,
  },
  'Object.prototype': Object.prototype,
  'Function.prototype': Function.prototype,
  'Array.prototype': Array.prototype,
  'String.prototype': String.prototype,
  'RegExp.prototype': RegExp.prototype,
  'Number.prototype': Number.prototype,
  'Date.prototype': Date.prototype,
  'Promise.prototype': Promise.prototype,
  'Map.prototype': Map.prototype,
  'Set.prototype': Set.prototype,
  'WeakMap.prototype': WeakMap.prototype,
  'WeakSet.prototype': WeakSet.prototype,
  'TypedArray.prototype': getPrototypeOf(Uint8Array.prototype) as object,
  'DataView.prototype': DataView.prototype,
  'Buffer.prototype': Buffer.prototype,
  'ArrayIterator.prototype': getPrototypeOf([][Symbol.iterator]()) as object,
  'MapIterator.prototype': getPrototypeOf(new Map().entries()) as object,
  'SetIterator.prototype': getPrototypeOf(new Set().values()) as object,
  'EventEmitter.prototype': EventEmitter.prototype,
  'Readable.prototype': Readable.prototype,
  'Writable.prototype': Writable.prototype,
  'Duplex.prototype': Duplex.prototype,
  'EventTarget.prototype': EventTarget.prototype,
  'Headers.prototype': Headers.prototype,
  'URL.prototype': URL.prototype,
};

interface CheckedMethod {
  readonly owner: object;
  readonly key: PropertyKey;
  readonly name: string;
}

/** Uses of builtins as in this program. Each returns true while they work. */
const uses: readonly (readonly [name: string, works: () => boolean])[] = [
  [
    'Array.prototype',
    () =>
      [3, 1, 2]
        .map((n) => n + 1)
        .filter((n) => n > 2)
        .concat([9])
        .join() === '4,3,9',
  ],
  [
    'Array.prototype',
    () => [1, 2, 3].slice(1).includes(3) && [3, 1].toSorted()[0] === 1 && [1].indexOf(1) === 0,
  ],
  ['Array.prototype', () => [1].push(2) === 2 && [1, 2].shift() === 1 && [1, 2].splice(0, 1)[0] === 1],
  [
    'Array.prototype',
    () => [...[1, 2]].some((n) => n === 2) && [1].every((n) => n === 1) && [5].find((n) => n === 5) === 5,
  ],
  [
    'Object',
    () =>
      Object.keys({ a: 1 })[0] === 'a' &&
      Object.entries({ a: 2 })[0]![1] === 2 &&
      Object.hasOwn({ a: 1 }, 'a'),
  ],
  ['Object', () => Object.fromEntries([['a', 1]])['a'] === 1 && Object.assign({}, { b: 2 }).b === 2],
  [
    'JSON',
    () => JSON.stringify({ a: [1, 'b'] }) === '{"a":[1,"b"]}' && (JSON.parse('[7]') as number[])[0] === 7,
  ],
  [
    'Map',
    () =>
      new Map([[1, 2]]).get(1) === 2 && new Map().set(1, 2).has(1) && [...new Map([[1, 2]]).keys()][0] === 1,
  ],
  ['Set', () => new Set([1]).has(1) && new Set().add(2).size === 1],
  [
    'String.prototype',
    () => 'a,b'.split(',').join('-') === 'a-b' && 'abc'.slice(1) === 'bc' && 'ab'.startsWith('a'),
  ],
  [
    'String.prototype',
    () => 'aXb'.replace(/X/g, '-') === 'a-b' && ' a '.trim() === 'a' && 'A'.toLowerCase() === 'a',
  ],
  ['RegExp.prototype', () => /b(.)/.exec('abc')![1] === 'c' && /b/.test('abc')],
  [
    'Function.prototype',
    () =>
      function f(this: unknown) {
        return this;
      }.call(5) === 5,
  ],
  [
    'Buffer',
    () =>
      Buffer.from('hi').toString('hex') === '6869' &&
      Buffer.concat([Buffer.from('a'), Buffer.from('b')]).length === 2,
  ],
  [
    'TypedArray.prototype',
    () => new Uint8Array([1, 2, 3]).subarray(1).length === 2 && new Uint8Array([4]).at(0) === 4,
  ],
  [
    'Promise',
    () =>
      typeof Promise.resolve(1)
        .then(() => 1)
        .catch(() => 2)
        .finally(() => 3).then === 'function',
  ],
  [
    'Promise',
    () => typeof Promise.withResolvers().resolve === 'function' && Promise.all([]) instanceof Promise,
  ],
  [
    'EventEmitter.prototype',
    () => {
      let heard = 0;
      new EventEmitter().on('a', (n: number) => (heard = n)).emit('a', 4);
      return heard === 4;
    },
  ],
  ['URL', () => new URL('http://a/b?c').pathname === '/b'],
  ['Date', () => new Date(0).toISOString() === '1970-01-01T00:00:00.000Z'],
];

let methods: readonly CheckedMethod[] | undefined;

/** Called before code of a Worker is loaded; a second call changes nothing. */
export function watchBuiltins(): void {
  if (methods !== undefined) return;
  methods = listMethods();
  setInterval(checkBuiltins, checkMs).unref();
}

/** Ends the process if its builtins are watched and broken. */
export function checkBuiltins(): void {
  if (methods === undefined) return;
  const broken = findMissing(methods) ?? findUseless();
  if (broken !== undefined) endProcess(broken);
}

function listMethods(): readonly CheckedMethod[] {
  const methods: CheckedMethod[] = [];
  for (const [name, owner] of Object.entries(owners)) {
    for (const key of ownKeys(owner)) {
      if (typeof getOwnPropertyDescriptor(owner, key)?.value === 'function')
        methods.push({ owner, key, name: `${name}.${String(key)}` });
    }
  }
  return methods;
}

function findMissing(methods: readonly CheckedMethod[]): string | undefined {
  for (let index = 0; index < methods.length; index++) {
    const { owner, key, name } = methods[index]!;
    try {
      if (typeof (owner as Record<PropertyKey, unknown>)[key] !== 'function') return name;
    } catch {
      return name;
    }
  }
  return undefined;
}

function findUseless(): string | undefined {
  for (let index = 0; index < uses.length; index++) {
    const use = uses[index]!;
    try {
      if (!use[1]()) return use[0];
    } catch {
      return use[0];
    }
  }
  return undefined;
}

function endProcess(name: string): void {
  const text =
    `Error: the code of the Worker has broken ${name}, which this process runs on: the process ends, and another takes its place. ` +
    'Wrap builtins instead of removing them\n';
  try {
    writeSync(2, text);
  } finally {
    reallyExit(exitCode);
  }
}
