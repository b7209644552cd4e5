import type { Rule } from '../model.ts';

/** A value that a rule matched on. */
export interface MatchedValue {
  /** `ARGS:comment`, `REQUEST_HEADERS:User-Agent`, `REQUEST_BODY`. */
  readonly name: string;
  /** After the rule's transformations. */
  readonly value: string;
}

/** A rule whose whole chain matched, with its texts expanded. */
export interface MatchedRule {
  readonly rule: Rule;
  readonly message: string;
  readonly data: string;
  readonly values: readonly MatchedValue[];
}

/** Why the request is stopped. */
export interface Interruption {
  readonly rule: Rule;
  readonly kind: 'deny' | 'drop' | 'redirect';
  readonly status: number;
  readonly location: string;
}
