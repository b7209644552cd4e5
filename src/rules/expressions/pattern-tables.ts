import { automatonPool } from '#regex';

/** The size of the tables of all patterns of the process, and how many were dropped because others needed the room. */
export interface PatternTables {
  readonly bytes: number;
  readonly evictions: number;
}

export function readPatternTables(): PatternTables {
  const { bytes, evictions } = automatonPool;
  return { bytes, evictions };
}
