/** The types of a link's frames, and the flags of a result. */

export const frameType = {
  /** numbers: call, space, target, operation, names in the path; parts: the names, the arguments. */
  call: 1,
  /** numbers: call, flags; parts: the value. */
  result: 2,
  /** numbers: call; parts: an error record. */
  failure: 3,
  /** numbers: calls. Their results are known: this end will call nothing more on them. */
  settled: 4,
  /** numbers: call. Its result was disposed of. */
  disposal: 5,
  /** numbers: space, target. */
  release: 6,
  /** numbers: entry; parts: its address. */
  entry: 7,
} as const;

export const resultFlag = {
  /** Calls on the result may be in transit: it is kept until `settled`. */
  kept: 1,
  /** It has a disposer. */
  disposable: 2,
  /** Its disposer has an effect at the other end. */
  disposed: 4,
} as const;
