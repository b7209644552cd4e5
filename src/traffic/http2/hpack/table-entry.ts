/**
 * A field in an HPACK table. Its validity is checked once: clients send most of their fields in every request, as a
 * reference to the first time.
 */
export interface TableEntry {
  /** Name and value: binary strings. */
  readonly field: readonly [name: string, value: string];
  /** As RFC 7541 counts: with 32 bytes of overhead per entry. */
  readonly bytes: number;
  /** False if a request with this field is malformed by RFC 9113, section 8.2.1. */
  readonly isValid: boolean;
}

export const entryOverheadBytes = 32;

/** A token in lower case. The colon starts pseudo-header fields. */
const validName = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/;

/** Only text and tabs, with neither spaces nor tabs around it. HTTP/1.1 refuses and trims the same. */
// oxlint-disable-next-line no-control-regex
const invalidValue = /[\0-\x08\n-\x1f\x7f]|^[ \t]|[ \t]$/;

export function createEntry(name: string, value: string): TableEntry {
  return {
    field: [name, value],
    bytes: name.length + value.length + entryOverheadBytes,
    isValid: validName.test(name) && !invalidValue.test(value),
  };
}
