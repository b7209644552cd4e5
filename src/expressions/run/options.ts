/** What running depends on beside the expression and the request, for the interpreter, the compiler and explain alike. */
import type { Value } from '../values.ts';

export interface RunOptions {
  /** What `in $name` asks. A list that is not here has no items. */
  readonly lists?: ReadonlyMap<string, ValueList>;
  /** Whether `ne` is true of nil, as in the open-source engine; the public service answers false. */
  readonly nilNotEqual?: boolean;
}

/** A `Set` is one. The object is asked at run time, so its items may change while compiled rules use it. */
export interface ValueList {
  has(value: Value): boolean;
}
