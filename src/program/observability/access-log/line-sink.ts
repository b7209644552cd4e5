/** The target of lines. A sink may be slow; it must not block the caller's thread. */
export interface LineSink {
  /** Its name in messages. */
  readonly name: string;
  /** Resolves when the bytes, which are whole lines, are written; rejects if they are not. Called one at a time. */
  write(bytes: Buffer): Promise<void>;
  /** Reopens the file under its name. Not called during a write. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}
