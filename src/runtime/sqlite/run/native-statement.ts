/** Members of `StatementSync` that Node 26.10 has and its published types do not know yet. */
declare module 'node:sqlite' {
  interface StatementSync {
    /** One of SQLite's counters for this statement, since it was compiled. */
    stat(name: 'vmStep' | 'fullscanStep' | 'sort' | 'autoindex' | 'filterHit' | 'filterMiss'): number;
    /** Finalizes the statement now instead of when it is collected. */
    close(): void;
  }
}

export type { StatementSync } from 'node:sqlite';
