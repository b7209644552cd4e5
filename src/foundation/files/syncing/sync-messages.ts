/** The requests of a process to its sync thread, and the answers. */

export type SyncKind = 'fdatasync' | 'fsync';

interface SyncOf {
  readonly kind: SyncKind;
  readonly descriptor: number;
}

/** The answer is a message with the id, or in the shared state on which the requesting thread waits. */
export type SyncQuestion = SyncOf &
  (
    | { readonly id: number; readonly state?: never }
    | { readonly id?: never; readonly state: Int32Array<SharedArrayBuffer> }
  );

export interface SyncAnswer {
  readonly id: number;
  /** 0 if the file is on disk. */
  readonly errno: number;
}

export const syncState = { isDone: 0, errno: 1 } as const;
