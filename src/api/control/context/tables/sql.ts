import type { DurableObjectStorage } from '#objects';

/** The database of an object, for stores and handlers. */
export type Sql = DurableObjectStorage['sql'];
