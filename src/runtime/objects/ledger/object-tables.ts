import type { Tables } from '#tables';

/** The part of the tables that objects need: their data, and what is derived from their records. */
export type ObjectTables = Pick<Tables, 'get' | 'list' | 'iterate' | 'apply'>;
