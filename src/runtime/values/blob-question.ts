/** The message to the thread that reads a `Blob` (`blob-thread.ts`). */
export interface BlobQuestion {
  readonly blob: Blob;
  /** One number, of `readingState`. */
  readonly state: Int32Array;
  /** As long as the `Blob`. */
  readonly bytes: Uint8Array;
}

export const readingState = { waiting: 0, read: 1, failed: 2 } as const;
