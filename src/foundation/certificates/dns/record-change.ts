/** A text record that is to be there, or no longer. */
export interface RecordChange {
  readonly kind: 'present' | 'cleanup';
  /** With the dot at its end: `_acme-challenge.shop.example.`. */
  readonly name: string;
  readonly value: string;
}
