import type { Tree } from './tree.ts';

/** The result of parsing a source in one dialect. */
export interface Parsed {
  readonly tree: Tree;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}
