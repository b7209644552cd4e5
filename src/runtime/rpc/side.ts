/** One party of a call: an object, or the code outside of objects. */
export interface Side {
  /** Runs code of this party for another. Settles when the other may see the outcome. Calls enter in order. */
  enter<T>(body: () => Promise<T>): Promise<T>;
  /** Lets code of this party call another and wait for the result. Messages leave in order. */
  reach<T>(message: () => Promise<T>): Promise<T>;
}

/** Code outside of objects: nothing delays its incoming or outgoing messages. */
export const outside: Side = {
  enter: (body) => body(),
  reach: (message) => message(),
};
