/** A part of a request with a name: a cookie, an argument, a body field. Everything is a binary string. */
export type PartKind =
  | 'path'
  | 'argument'
  | 'header'
  | 'cookie'
  | 'form field'
  | 'multipart field'
  | 'JSON value'
  | 'JSON name'
  | 'GraphQL argument'
  | 'XML text'
  | 'XML attribute'
  | 'file name'
  | 'body';

export interface NamedPart {
  readonly kind: PartKind;
  /**
   * `items[3].note` for parts of JSON, `order/item@id` for parts of XML, `addComment.text` for those of GraphQL; `""` for a
   * path.
   */
  readonly name: string;
  readonly value: string;
  /** The value with its JSON escapes or its entities decoded; equal to `value` elsewhere. */
  readonly decoded: string;
  /** Name and value as written; for a part of a multipart form including its head. */
  readonly piece: string;
  /** The positions of the piece and its value in the text. */
  readonly at: { readonly piece: number; readonly value: number };
}
