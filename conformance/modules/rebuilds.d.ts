export interface RebuildStep {
  readonly sql: string;
  /** Whether it opens the transaction of its turn. */
  readonly writes: boolean;
}

export interface Rebuild {
  readonly strategy: string;
  readonly setup: readonly string[];
  readonly steps: readonly RebuildStep[];
  /** Queries that show what is left. */
  readonly check: readonly string[];
}

export function makeRebuild(numbers: readonly number[]): Rebuild;
