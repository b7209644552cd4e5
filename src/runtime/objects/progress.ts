/** How far long work has come, for those who wait for it. */
export interface Progress {
  /** What is being done, as a user reads it: `writing`. */
  readonly step: string;
  /** Bytes, or whatever `total` counts. */
  readonly done: number;
  /** Undefined while it is not known. */
  readonly total: number | undefined;
}

export type OnProgress = (progress: Progress) => void;
