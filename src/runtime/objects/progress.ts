/** The progress of a long operation. */
export interface Progress {
  /** The current step, as shown to a user: `writing`. */
  readonly step: string;
  /** Bytes, or whatever `total` counts. */
  readonly done: number;
  /** Undefined while it is unknown. */
  readonly total: number | undefined;
}

export type OnProgress = (progress: Progress) => void;
