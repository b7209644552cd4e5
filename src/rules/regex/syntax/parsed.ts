import type { PatternTree } from './tree.ts';

/** The result of parsing a source in one dialect. */
export interface ParsedPattern {
  readonly tree: PatternTree;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}
