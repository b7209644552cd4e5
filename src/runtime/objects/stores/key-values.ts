/**
 * What both kinds of storage, and a transaction on either, can do with keys and values. Keys are the user's strings;
 * values are bytes. A result is a promise only if the disk must be read.
 */
export type MaybePromise<T> = T | Promise<T>;

export interface ReadOptions {
  readonly noCache?: boolean;
}

export interface CacheOptions {
  readonly noCache?: boolean;
}

export interface KeyValues {
  get(key: string, options?: ReadOptions): MaybePromise<Uint8Array | undefined>;
  put(key: string, value: Uint8Array, options?: CacheOptions): void;
  /** Whether the key existed. */
  delete(key: string, options?: CacheOptions): MaybePromise<boolean>;
  list(range: BinaryRange, options?: ReadOptions): MaybePromise<KeyValuePair[]>;
  getAlarm(): number | null;
  setAlarm(time: number | null): void;
}

/** Keys in rows and ranges are binary: not every key survives the conversion to bytes and back to a string. */
export type KeyValuePair = [binaryKey: string, value: Uint8Array];

/** A range over binary keys (one char per byte of UTF-8). */
export interface BinaryRange {
  readonly start: string;
  readonly end: string | undefined;
  readonly reverse: boolean;
  readonly limit: number | undefined;
}
