/** A part of a request that has a name: a cookie, an argument, a field of a body. Everything is a binary string. */
export type PartKind =
  | 'path'
  | 'argument'
  | 'header'
  | 'cookie'
  | 'form field'
  | 'multipart field'
  | 'JSON value'
  | 'JSON name'
  | 'XML text'
  | 'XML attribute'
  | 'file name'
  | 'body';

export interface NamedPart {
  readonly kind: PartKind;
  /** `items[3].note` for parts of JSON, `order/item@id` for parts of XML; `""` for a path. */
  readonly name: string;
  readonly value: string;
  /** The value with its JSON escapes decoded; equal to `value` elsewhere. */
  readonly decoded: string;
  /** Name and value as written. */
  readonly piece: string;
  /** Where the piece and its value begin in the text; undefined in bodies of several parts. */
  readonly at?: { readonly piece: number; readonly value: number };
}
