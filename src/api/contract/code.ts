/** One entry of the catalogue of error codes. */
export interface Code {
  readonly code: number;
  /** Of the HTTP answer. */
  readonly status: number;
  /** With `{name}` where something of the request stands. */
  readonly message: string;
  /** What the person who gets it can do, for the documentation. */
  readonly advice: string;
}

/** A family of codes, by the name the program has for them. */
export function codes<const Family extends Readonly<Record<string, Code>>>(family: Family): Family {
  return family;
}
