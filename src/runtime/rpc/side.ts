/** One party of a call: an object, or the world around the objects. */
export interface Side {
  /** Runs code of this party for another. Settles when others may see the outcome. Calls enter in order. */
  enter<T>(body: () => Promise<T>): Promise<T>;
  /** Lets code of this party call another and wait for the result. Messages leave in order. */
  reach<T>(message: () => Promise<T>): Promise<T>;
}

/** Code that belongs to no object: nothing delays what enters or leaves. */
export const outside: Side = {
  enter: (body) => body(),
  reach: (message) => message(),
};
