/** Removes the framing of a body. It receives input until it is done; what follows does not belong to it. */
export interface BodyDecoder {
  readonly isDone: boolean;
  readonly isBroken: boolean;
  /** In the bytes decoded last: the offset of what does not belong to this message. */
  readonly restOffset: number;
  /** Returns the part of the body in these bytes. It overwrites them, so they must not be needed for anything else. */
  decode(bytes: Buffer): Buffer;
}
