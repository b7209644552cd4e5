/**
 * The inputs of a run other than the expression and the request; shared by the interpreter, the compiler and explain.
 */
import type { Value } from '../values.ts';

export interface RunOptions {
  /** The lists that `in $name` looks up. A missing list has no items. */
  readonly lists?: ReadonlyMap<string, ValueList>;
  /** Whether `ne` is true for nil, as in wirefilter; Cloudflare's service returns false. */
  readonly nilNotEqual?: boolean;
}

/** A `Set` is a `ValueList`. The object is read at run time, so its items may change while compiled rules use it. */
export interface ValueList {
  has(value: Value): boolean;
}
