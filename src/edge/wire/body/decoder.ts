/** What takes the framing off a body. It is fed what comes until it is done; what follows is no longer its own. */
export interface BodyDecoder {
  readonly isDone: boolean;
  readonly isBroken: boolean;
  /** Of the bytes decoded last: where what does not belong to this message begins. */
  readonly restOffset: number;
  /** The part of the body in these bytes, in their place: they must not be needed for anything else. */
  decode(bytes: Buffer): Buffer;
}
