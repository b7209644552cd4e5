/** One step between a value of the request and the operator. Values are binary strings, one character per byte. */
export interface Transformation {
  /** As written behind `t:`, in lower case. */
  readonly name: string;
  /** Kinds of bytes (`byte-kinds.ts`) without which it leaves a value as it is. */
  readonly touches: number;
  readonly changesCaseOnly?: boolean;
  apply(value: string): string;
}
