/** One party of a call: an object, or the world around the objects. */
export interface Side {
  /** Runs code of this party on behalf of another. Settles when others may see the outcome. Calls enter in order. */
  enter<T>(body: () => Promise<T>): Promise<T>;
  /** Lets code of this party reach out to another and wait for the answer. Messages leave in order. */
  reach<T>(message: () => Promise<T>): Promise<T>;
}

/** Code that belongs to no object: everything enters and leaves as it pleases. */
export const outside: Side = {
  enter: (body) => body(),
  reach: (message) => message(),
};
