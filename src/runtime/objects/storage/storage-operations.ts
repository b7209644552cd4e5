/**
 * The asynchronous key-value operations, as storage and transactions both offer them: arguments, limits,
 * copies of values, gates.
 */
import { isObject, wrongType } from '#base';
import { decodeValue, encodeValue } from '#values';
import type { Actor } from '../actor/actor.ts';
import { alarmTimeMax } from '../limits.ts';
import { toKey, toOptions } from './arguments.ts';
import type { AlarmRun } from '../alarms/alarm-run.ts';
import { fromBinaryKey, toBinaryKey } from '../stores/binary-keys.ts';
import type { KeyValues, MaybePromise, KeyValuePair } from '../stores/key-values.ts';
import { type ListOptions, compileRange } from './list-range.ts';
import { checkKey, checkPairs, checkValue } from './size-checks.ts';

export interface GetOptions {
  readonly allowConcurrency?: boolean;
  readonly noCache?: boolean;
}

export interface PutOptions {
  readonly allowConcurrency?: boolean;
  readonly allowUnconfirmed?: boolean;
  readonly noCache?: boolean;
}

export type GetAlarmOptions = Pick<GetOptions, 'allowConcurrency'>;
export type SetAlarmOptions = Omit<PutOptions, 'noCache'>;

/** `given` is how many arguments the caller passed: leaving out the key is not the same as `undefined`. */
type ReadArguments = [keyOrKeys: unknown, options: unknown, given: number];

export class StorageOperations {
  readonly #actor: Actor;
  readonly #face: string;
  readonly #target: (operation: string) => KeyValues;
  readonly #alarms: AlarmRun;

  /** `target` returns where to read and write, or throws if this interface may no longer be used. */
  constructor(parts: {
    actor: Actor;
    face: string;
    target: (operation: string) => KeyValues;
    alarms: AlarmRun;
  }) {
    this.#actor = parts.actor;
    this.#face = parts.face;
    this.#target = parts.target;
    this.#alarms = parts.alarms;
  }

  get(...[keyOrKeys, optionsValue, given]: ReadArguments): Promise<unknown> {
    try {
      const callee = { method: 'get', face: this.#face };
      const target = this.#target('get()');
      if (given === 0) throw wrongType(callee, 1, 'string or Array');
      const options = toOptions<GetOptions>(optionsValue, callee, 2, 'GetOptions');
      if (Array.isArray(keyOrKeys)) return this.#getMany(target, keyOrKeys, options);
      const key = this.#checkKey(toKey(keyOrKeys));
      return this.#answer(target.get(key, readOptions(options)), options, decodeIfThere);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  put(...args: unknown[]): Promise<void> {
    try {
      const callee = { method: 'put', face: this.#face };
      const [first, second, third] = args;
      const target = this.#target('put()');
      if (args.length === 0) throw wrongType(callee, 1, 'string or object');
      if (isObject(first)) {
        if (!isOptions(second)) throw new TypeError(putSignature);
        return this.#putMany(target, first, toOptions<PutOptions>(second, callee, 2, 'PutOptions'));
      }
      const key = this.#checkKey(toKey(first));
      const options = toOptions<PutOptions>(third, callee, 3, 'PutOptions');
      if (second === undefined) throw new TypeError('put() called with undefined value.');
      const value = this.#encode(second);
      this.#confirm(options);
      target.put(key, value, readOptions(options));
      return resolved;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Throws its argument errors, although every other operation rejects: workerd does so. */
  delete(...[keyOrKeys, optionsValue, given]: ReadArguments): Promise<boolean | number> {
    const callee = { method: 'delete', face: this.#face };
    const target = this.#target('delete()');
    if (given === 0) throw wrongType(callee, 1, 'string or Array');
    const options = toOptions<PutOptions>(optionsValue, callee, 2, 'PutOptions');
    const many = Array.isArray(keyOrKeys);
    const keys = many ? keyOrKeys.map(toKey) : [toKey(keyOrKeys)];
    checkPairs(keys.length, this.#actor.parts.limits);
    for (const key of keys) this.#checkKey(key);
    this.#confirm(options);
    const existed = keys.map((key) => target.delete(key, readOptions(options)));
    const count = (found: boolean[]): boolean | number => (many ? found.filter(Boolean).length : found[0]!);
    return this.#answer(all(existed), options, count);
  }

  list(optionsValue: unknown): Promise<Map<string, unknown>> {
    try {
      const callee = { method: 'list', face: this.#face };
      const target = this.#target('list()');
      const options = toOptions<ListOptions & GetOptions>(optionsValue, callee, 1, 'ListOptions');
      const range = compileRange(options);
      const rows = range === undefined ? [] : target.list(range, readOptions(options));
      return this.#answer(rows, options, decodeRows);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  getAlarm(optionsValue: unknown): Promise<number | null> {
    try {
      const target = this.#target('getAlarm()');
      toOptions(optionsValue, { method: 'getAlarm', face: this.#face }, 1, 'GetAlarmOptions');
      return Promise.resolve(this.#alarms.state === 'running' ? null : target.getAlarm());
    } catch (error) {
      return Promise.reject(error);
    }
  }

  setAlarm(time: unknown, optionsValue: unknown): Promise<void> {
    try {
      const callee = { method: 'setAlarm', face: this.#face };
      const target = this.#target('setAlarm()');
      if (typeof time !== 'number' && !(time instanceof Date)) throw wrongType(callee, 1, 'date');
      const options = toOptions<PutOptions>(optionsValue, callee, 2, 'SetAlarmOptions');
      const at = Math.trunc(Number(time));
      if (!Number.isFinite(at)) {
        throw new TypeError('The value cannot be converted because it is not a valid Date.');
      }
      if (at <= 0) throw new TypeError('setAlarm() cannot be called with an alarm time <= 0');
      if (at > alarmTimeMax) throw new TypeError("This API doesn't support dates after 2189.");
      if (!this.#alarms.hasHandler()) {
        throw new TypeError(
          'Your Durable Object class must have an alarm() handler in order to call setAlarm()',
        );
      }
      this.#confirm(options);
      this.#alarms.replace();
      target.setAlarm(Math.max(at, Math.trunc(this.#actor.parts.clock.now())));
      return resolved;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  deleteAlarm(optionsValue: unknown): Promise<void> {
    try {
      const target = this.#target('deleteAlarm()');
      const callee = { method: 'deleteAlarm', face: this.#face };
      this.#confirm(toOptions<PutOptions>(optionsValue, callee, 1, 'SetAlarmOptions'));
      this.#alarms.replace();
      target.setAlarm(null);
      return resolved;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #getMany(target: KeyValues, keysValue: unknown[], options: GetOptions): Promise<Map<string, unknown>> {
    const keys = [...new Set(keysValue.map(toKey))];
    checkPairs(keysValue.length, this.#actor.parts.limits);
    for (const key of keys) this.#checkKey(key);
    if (keys.length > 1) keys.sort(inUtf8Order);
    const values = keys.map((key) => target.get(key, readOptions(options)));
    return this.#answer(all(values), options, (found) => {
      const map = new Map<string, unknown>();
      for (const [index, key] of keys.entries()) {
        const value = found[index];
        if (value !== undefined) map.set(key, decodeValue(value));
      }
      return map;
    });
  }

  #putMany(target: KeyValues, entries: Record<string, unknown>, options: PutOptions): Promise<void> {
    const pairs = Object.entries(entries).filter(([, value]) => value !== undefined);
    checkPairs(pairs.length, this.#actor.parts.limits);
    const encoded = pairs.map(([key, value]): [string, Uint8Array] => [
      this.#checkKey(key),
      this.#encode(value),
    ]);
    if (encoded.length > 0) this.#confirm(options);
    for (const [key, value] of encoded) target.put(key, value, readOptions(options));
    return resolved;
  }

  /** A read that needs the disk keeps other events out until the object has its answer. */
  #answer<S, T>(stored: MaybePromise<S>, options: GetOptions, decode: (stored: S) => T): Promise<T> {
    if (!(stored instanceof Promise)) return Promise.resolve(decode(stored));
    return this.#actor.readLocked(stored, Boolean(options.allowConcurrency)).then(decode);
  }

  #confirm(options: PutOptions): void {
    this.#actor.writes.before({ confirmed: !options.allowUnconfirmed });
  }

  #encode(value: unknown): Uint8Array {
    return checkValue(encodeValue(value), this.#actor.parts.limits);
  }

  #checkKey(key: string): string {
    return checkKey(key, this.#actor.parts.limits);
  }
}

const resolved = Promise.resolve();

const putSignature =
  'put() may only be called with a single key-value pair and optional options as put(key, value, options) or with multiple key-value pairs and optional options as put(entries, options)';

function isOptions(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'object' || typeof value === 'function';
}

function readOptions(options: GetOptions): { noCache: boolean } {
  return options.noCache ? noCache : cached;
}
const noCache = { noCache: true };
const cached = { noCache: false };

function decodeIfThere(bytes: Uint8Array | undefined): unknown {
  return bytes === undefined ? undefined : decodeValue(bytes);
}

function decodeRows(rows: readonly KeyValuePair[]): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const [key, value] of rows) map.set(fromBinaryKey(key), decodeValue(value));
  return map;
}

function all<T>(values: Array<MaybePromise<T>>): MaybePromise<T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as T[]);
}

function inUtf8Order(a: string, b: string): number {
  return toBinaryKey(a) < toBinaryKey(b) ? -1 : 1;
}
