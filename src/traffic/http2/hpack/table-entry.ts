/**
 * A field as HPACK knows it. Whether it is well-formed is found once: clients send most of their fields in every request, as
 * a reference to the first time.
 */
export interface TableEntry {
  /** Name and value: binary strings. */
  readonly field: readonly [name: string, value: string];
  /** As RFC 7541 counts: with 32 for what an entry costs beside its text. */
  readonly bytes: number;
  /** False if RFC 9113, section 8.2.1, calls a request with this field malformed. */
  readonly isValid: boolean;
}

export const entryOverheadBytes = 32;

/** A token in lower case. The colon is for fields that stand for the request line. */
const validName = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/** Nothing but text and tabs, and neither spaces nor tabs around it. HTTP/1.1 refuses and trims the same. */
// oxlint-disable-next-line no-control-regex
const invalidValue = /[\0-\x08\n-\x1f\x7f]|^[ \t]|[ \t]$/;

export function createEntry(name: string, value: string): TableEntry {
  return {
    field: [name, value],
    bytes: name.length + value.length + entryOverheadBytes,
    isValid: validName.test(name) && !invalidValue.test(value),
  };
}
