/** Where lines go. A sink may be slow; it must not keep the caller's thread waiting. */
export interface LineSink {
  /** What messages call it. */
  readonly name: string;
  /** Resolves when the bytes, which are whole lines, are written; rejects if they are not. Called one at a time. */
  write(bytes: Buffer): Promise<void>;
  /** Continues with the file that now has the name. Not called during a write. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}
