/** What the steps of workflows leave behind that are killed, for those who look at it. */
export const instancesPerRound = 4;

export interface Note {
  readonly instance: string;
  readonly step: number;
  readonly attempt: number;
  readonly token: string;
  /** What the steps before have returned. */
  readonly before: readonly string[];
}

/** What the child says, a line of JSON each. */
export type Line =
  | { readonly say: 'step' }
  | { readonly say: 'note'; readonly note: Note }
  | { readonly say: 'output'; readonly instance: string; readonly status: string; readonly output: unknown };
