/** Shared parts of the rows of KV namespaces, D1 databases, queues and R2 buckets. */
import { genericCodes } from '../../codes/generic.ts';
import { storeCodes } from '../../codes/stores.ts';
import { workerCodes } from '../../codes/workers.ts';

export const account = '/accounts/{account_id}';

/** Their handlers call the account, and the process that has the stores. */
export const several = { answeredBy: 'several objects' } as const;

export const served = [workerCodes.notUploadable, workerCodes.outOfService] as const;
export const created = [...served, storeCodes.tooManyStores] as const;
export const raw = [...served, genericCodes.bodyTooLarge, genericCodes.bodyIncomplete] as const;

/** A segment of a path as it was sent, percent-encoded. Stores accept any text as a key, or refuse it themselves. */
export const encodedSegment = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/;

export const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

/** The largest KV value or R2 object in one request. */
export const valueBytesMax = 26 * 1024 * 1024;
export const objectBytesMax = 100 * 1024 * 1024;
