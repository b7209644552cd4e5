import type { DurableObjectStorage } from '#objects';

/** The database of an object, as stores and handlers have it. */
export type Sql = DurableObjectStorage['sql'];
