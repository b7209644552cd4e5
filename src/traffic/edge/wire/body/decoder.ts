/** Removes the framing of a body. It accepts input until it is done; later bytes do not belong to it. */
export interface BodyDecoder {
  readonly isDone: boolean;
  readonly isBroken: boolean;
  /** In the bytes decoded last: the offset of the first byte that does not belong to this message. */
  readonly restOffset: number;
  /** Returns the part of the body in these bytes. It overwrites them, so the caller must not use them again. */
  decode(bytes: Buffer): Buffer;
}
