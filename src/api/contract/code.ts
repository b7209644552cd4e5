/** One entry of the catalogue of error codes. */
export interface Code {
  readonly code: number;
  /** The status of the HTTP response. */
  readonly status: number;
  /** With `{name}` placeholders for parts of the request. */
  readonly message: string;
  /** What the reader of the message can do, for the documentation. */
  readonly advice: string;
}

/** A family of codes, keyed by their names in the program. */
export function codes<const Family extends Readonly<Record<string, Code>>>(family: Family): Family {
  return family;
}
