/** What a KV namespace refuses, with the texts of Cloudflare. */
import {
  kvBatchKeysMax,
  kvCacheSecondsMin,
  kvExpirySecondsMin,
  kvKeyBytesMax,
  kvListKeysMax,
  kvMetadataBytesMax,
  kvValueBytesMax,
} from '../limits.ts';
import { toRefusal } from '../refusal.ts';

/** The field of an API response that contains the metadata of a value: JSON, percent-encoded. */
export const kvMetadataField = 'gatehouse-kv-metadata';

/** The name of an operation in errors. */
export type KvOperation = 'GET' | 'GET_BULK' | 'PUT' | 'DELETE';

export interface Expiry {
  readonly expiration?: number | undefined;
  readonly expirationTtl?: number | undefined;
}

/** The options of a write. */
export function readPut(
  key: string,
  { metadata, ...expiry }: Expiry & { readonly metadata?: unknown },
): Expiry & { readonly metadata: string | null } {
  checkKey('PUT', key);
  return { ...readExpiry(expiry), metadata: readMetadata(metadata) };
}

/** The requested expiry, as whole numbers. */
function readExpiry({ expiration, expirationTtl }: Expiry): Expiry {
  return {
    ...(expiration === undefined ? {} : { expiration: toInteger(expiration) }),
    ...(expirationTtl === undefined ? {} : { expirationTtl: toInteger(expirationTtl) }),
  };
}

export function createKvError(operation: KvOperation, status: number, text: string): Error {
  return toRefusal(new Error(`KV ${operation} failed: ${status} ${text}`));
}

export function checkKey(operation: KvOperation, key: string): void {
  if (key === '') throw toRefusal(new TypeError('Key name cannot be empty.'));
  if (key === '.' || key === '..') throw toRefusal(new TypeError(`"${key}" is not allowed as a key name.`));
  checkKeyLength(operation, key);
}

function checkKeyLength(operation: KvOperation, key: string): void {
  const bytes = Buffer.byteLength(key);
  if (bytes > kvKeyBytesMax) {
    throw createKvError(
      operation,
      414,
      `UTF-8 encoded length of ${bytes} exceeds key length limit of ${kvKeyBytesMax}.`,
    );
  }
}

/** The service checks the keys of a batch request, with another text. */
export function checkBatch(keys: readonly string[], type: string): void {
  const refuse = (status: number, text: string): Error => createKvError('GET_BULK', status, text);
  if (type !== 'text' && type !== 'json')
    throw refuse(400, `"${type}" is not a valid type. Use "json" or "text"`);
  if (keys.length > kvBatchKeysMax) throw refuse(400, `You can request a maximum of ${kvBatchKeysMax} keys`);
  if (keys.length === 0) throw refuse(400, 'You must request a minimum of 1 key');
  for (const key of keys) {
    if (key === '') throw refuse(400, 'Key names must not be empty');
    if (key === '.' || key === '..')
      throw refuse(400, `Illegal key name "${key}". Please use a different name.`);
    checkKeyLength('GET_BULK', key);
  }
}

export function checkCacheTtl(operation: KvOperation, cacheTtl: unknown): void {
  if (cacheTtl === undefined) return;
  const seconds = toInteger(cacheTtl);
  if (seconds < kvCacheSecondsMin) {
    throw createKvError(
      operation,
      400,
      `Invalid cache_ttl of ${seconds}. Cache TTL must be at least ${kvCacheSecondsMin}.`,
    );
  }
}

/** When an entry expires, in seconds since 1970; null if it does not. */
export function readExpiration({ expiration, expirationTtl }: Expiry, nowSeconds: number): number | null {
  const refuse = (text: string): Error => createKvError('PUT', 400, text);
  if (expirationTtl !== undefined) {
    if (expirationTtl <= 0)
      throw refuse(`Invalid expiration_ttl of ${expirationTtl}. Please specify integer greater than 0.`);
    if (expirationTtl < kvExpirySecondsMin)
      throw refuse(
        `Invalid expiration_ttl of ${expirationTtl}. Expiration TTL must be at least ${kvExpirySecondsMin}.`,
      );
    return nowSeconds + expirationTtl;
  }
  if (expiration === undefined) return null;
  if (expiration <= nowSeconds)
    throw refuse(
      `Invalid expiration of ${expiration}. Please specify integer greater than the current number of seconds since the UNIX epoch.`,
    );
  if (expiration < nowSeconds + kvExpirySecondsMin)
    throw refuse(
      `Invalid expiration of ${expiration}. Expiration times must be at least ${kvExpirySecondsMin} seconds in the future.`,
    );
  return expiration;
}

/** The JSON of an entry's metadata; null if there is none. */
function readMetadata(metadata: unknown): string | null {
  if (metadata === undefined || metadata === null) return null;
  const json = JSON.stringify(metadata);
  if (json === undefined) return null;
  const bytes = Buffer.byteLength(json);
  if (bytes > kvMetadataBytesMax)
    throw createKvError('PUT', 413, `Metadata length of ${bytes} exceeds limit of ${kvMetadataBytesMax}.`);
  return json;
}

export function checkValueLength(bytes: number): void {
  if (bytes > kvValueBytesMax)
    throw createKvError('PUT', 413, `Value length of ${bytes} exceeds limit of ${kvValueBytesMax}.`);
}

/** A limit of zero or less counts as none. */
export function readListLimit(limit: unknown): number {
  const asked = limit === undefined ? 0 : toInteger(limit);
  if (asked > kvListKeysMax)
    throw createKvError(
      'GET',
      400,
      `Invalid key_count_limit of ${asked}. Please specify an integer less than ${kvListKeysMax}.`,
    );
  return asked > 0 ? asked : kvListKeysMax;
}

export function checkPrefix(prefix: string): void {
  checkKeyLength('GET', prefix);
}

/** Converts to a number as the platform does: whole, 32 bits, and 0 for anything else. */
function toInteger(value: unknown): number {
  const number = Math.trunc(Number(value));
  if (!Number.isFinite(number)) return 0;
  if (number !== (number | 0)) {
    throw toRefusal(
      new TypeError('Value out of range. Must be between -2147483648 and 2147483647 (inclusive).'),
    );
  }
  return number;
}
