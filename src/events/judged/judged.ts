/** How a request was judged, in a form that lasts: what `explain` shows of an event. All of it is text that people read. */
export interface Judged {
  /** Of the zone's configuration. */
  readonly version: number;
  /** Every list of rules that the request came to, in order. */
  readonly steps: readonly JudgedStep[];
  /** The rules that did something, the one that decided last. */
  readonly rules: readonly JudgedRule[];
}

export interface JudgedStep {
  readonly source: string;
  readonly phase: string;
  readonly rulesetId: string;
  readonly version: string;
  readonly level: string;
  readonly reached: number;
  readonly ruleCount: number;
  /** Also those that did nothing. */
  readonly matched: readonly string[];
  readonly end: string;
}

export interface JudgedRule {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly action: string;
  readonly description: string;
  /** Absent where a score decided, and of the many when a request triggers many. */
  readonly tree?: JudgedPart;
  readonly score?: JudgedScore;
}

export interface JudgedScore {
  readonly total: number;
  readonly threshold: number;
  readonly contributions: readonly {
    readonly ruleId: string;
    readonly description: string;
    readonly score: number;
    readonly tree: JudgedPart;
  }[];
}

/** One place of an expression. */
export interface JudgedPart {
  /** As written; long ones are cut. */
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  /** As text; long ones are cut around what matched, secrets are hidden. */
  readonly value?: string;
  readonly matched?: readonly JudgedMatch[];
  readonly parts?: readonly JudgedPart[];
}

/** What of a value made it match. */
export interface JudgedMatch {
  readonly text: string;
  /** Bytes of the value; the end is excluded. */
  readonly start: number;
  readonly end: number;
  /** Which of several values, from 0. */
  readonly element?: number;
}
