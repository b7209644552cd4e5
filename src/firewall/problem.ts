/**
 * What is wrong with a ruleset that a client sent: a value with a code, a text and the place in the input. Nothing here
 * throws for input; checks collect up to {@link problemsMax} problems, so that a client mends several at a time.
 */
import { problemsMax } from './limits.ts';

export interface Problem {
  readonly code: number;
  readonly message: string;
  /** A JSON pointer into the request's body; empty for the whole of it. */
  readonly pointer: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The first six are the original's, whose clients match them; from 20901 on they are ours. */
export const problemCodes = {
  entry_point_not_found: { code: 10003, summary: 'The phase has no entry point ruleset.' },
  logging_not_allowed: { code: 20018, summary: 'Logging options stand in a rule that does not skip.' },
  expression_blank: { code: 20125, summary: 'The expression is missing or blank.' },
  expression_invalid: { code: 20127, summary: 'The expression is not valid; the text shows where.' },
  entry_point_exists: { code: 20217, summary: 'The phase has its entry point ruleset already.' },
  too_many_rules: { code: 50001, summary: 'More rules than the plan or the ruleset may have.' },
  wrong_type: { code: 20901, summary: 'The value is of another type than the field.' },
  unknown_field: { code: 20902, summary: 'There is no such field.' },
  missing_field: { code: 20903, summary: 'A required field is missing.' },
  out_of_range: {
    code: 20904,
    summary: 'A text, number or list is too short, too long, too small or too large.',
  },
  unknown_choice: { code: 20905, summary: 'The value is none of those the field may have.' },
  immutable_field: { code: 20906, summary: 'The field cannot change once the ruleset exists.' },
  not_available: {
    code: 20907,
    summary: 'The value has no meaning in this phase, kind of ruleset or action.',
  },
  not_entitled: { code: 20908, summary: 'The plan does not include it.' },
  wrong_combination: { code: 20909, summary: 'Fields that exclude or need each other.' },
  not_found: { code: 20910, summary: 'A ruleset, rule or category that is named does not exist.' },
  duplicate: { code: 20911, summary: 'An id, ref, override or deployment stands there twice.' },
  bad_position: { code: 20912, summary: 'The position is not one of the ruleset.' },
  account_expression: {
    code: 20913,
    summary: 'A deployment of an account is not limited to Enterprise zones.',
  },
} as const satisfies Record<string, { readonly code: number; readonly summary: string }>;

export type ProblemName = keyof typeof problemCodes;

export class Problems {
  readonly #found: Problem[] = [];

  get count(): number {
    return this.#found.length;
  }

  /** Further checks are wasted: nobody hears of what they find. */
  get isFull(): boolean {
    return this.#found.length >= problemsMax;
  }

  add(name: ProblemName, message: string, pointer: string): void {
    if (!this.isFull) this.#found.push({ code: problemCodes[name].code, message, pointer });
  }

  /** The value if nothing was found. It is made only then, so it may rely on every check. */
  conclude<T>(make: () => T): Checked<T> {
    return this.#found.length === 0 ? { ok: true, value: make() } : { ok: false, problems: this.#found };
  }
}
