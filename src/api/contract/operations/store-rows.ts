/** What the rows of KV namespaces, D1 databases, queues and R2 buckets have in common. */
import { genericCodes } from '../codes/generic.ts';
import { storeCodes } from '../codes/stores.ts';
import { workerCodes } from '../codes/workers.ts';

export const account = '/accounts/{account_id}';

/** Their handlers ask the account, and the process that has the stores. */
export const several = { answeredBy: 'several objects' } as const;

export const served = [workerCodes.notUploadable, workerCodes.outOfService] as const;
export const created = [...served, storeCodes.tooManyStores] as const;
export const raw = [...served, genericCodes.bodyTooLarge, genericCodes.bodyIncomplete] as const;

/** A piece of a path as it was sent, percent-encoded. Stores take every text for a key, or refuse it themselves. */
export const encodedSegment = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/;

export const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** Of a value of KV and of an object of R2 that is sent in one request. */
export const valueBytesMax = 26 * 1024 * 1024;
export const objectBytesMax = 100 * 1024 * 1024;
