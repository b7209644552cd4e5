/** A text record to set or to remove. */
export interface RecordChange {
  readonly kind: 'present' | 'cleanup';
  /** With a final dot: `_acme-challenge.shop.example.`. */
  readonly name: string;
  readonly value: string;
}
