/** One step between a value of the request and the operator. Values are binary strings, one character per byte. */
export interface Transformation {
  /** The name after `t:`, in lower case. */
  readonly name: string;
  /** Kinds of bytes (`byte-kinds.ts`) without which it does not change a value. */
  readonly touches: number;
  readonly changesCaseOnly?: boolean;
  apply(value: string): string;
}
