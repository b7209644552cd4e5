/**
 * The single definition of a body: a shape reads a value of unknown origin into a typed one, reports each mistake with
 * its JSON pointer, and has the JSON Schema for the OpenAPI document.
 *
 * ```ts
 * const filter = object({ expression: text({ max: 4096 }), paused: optional(flag()) });
 * const problems: Problem[] = [];
 * const value = filter.read(JSON.parse(body), '', problems); // trust it only while problems is empty
 * ```
 */
export interface Problem {
  /** JSON pointer; the empty string is the whole body. */
  readonly pointer: string;
  readonly message: string;
  /** The field is not part of the shape. */
  readonly isUnknownField?: true;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/** `T` is the type that it reads, `Sent` the type that a client sends for it. */
export interface Shape<T, Sent = T> {
  readonly schema: JsonSchema;
  /** The result is meaningful only if it added no problem. */
  read(value: unknown, pointer: string, problems: Problem[]): T;
  /** Whether an object may lack it. */
  readonly isOptional?: boolean;
  /** Whether null is a value; if it is not, an optional field that is null counts as left out. */
  readonly takesNull?: boolean;
  /** Exists only as a type: no shape has it. */
  readonly sent?: Sent;
}

export type Shaped<S> = S extends Shape<infer T, unknown> ? T : never;

export type Sent<S> = S extends Shape<unknown, infer T> ? T : never;

/** For `source.pointer`: a key may have slashes. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The description of a value in a message: short, whatever was sent. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  if (typeof value === 'object') return 'an object';
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
