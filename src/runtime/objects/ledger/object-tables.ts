import type { Tables } from '#tables';

/** What objects need of the tables: their data, and what follows from their records. */
export type ObjectTables = Pick<Tables, 'get' | 'list' | 'iterate' | 'apply'>;
