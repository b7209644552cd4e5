/** Members of `StatementSync` in Node 26.10 that its published types lack. */
declare module 'node:sqlite' {
  interface StatementSync {
    /** One of SQLite's counters for this statement, since it was compiled. */
    stat(name: 'vmStep' | 'fullscanStep' | 'sort' | 'autoindex' | 'filterHit' | 'filterMiss'): number;
    /** Finalizes the statement now instead of when it is garbage-collected. */
    close(): void;
  }
}

export type { StatementSync } from 'node:sqlite';
