/** How a request was judged, in a form that lasts: what `explain` shows of an event. All of it is text that people read. */
export interface Judged {
  /** Of the zone's configuration. */
  readonly version: number;
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
  readonly matched: readonly string[];
  readonly end: string;
}

export interface JudgedRule {
  readonly ruleId: string;
  readonly action: string;
  readonly description: string;
  readonly tree?: JudgedPart;
  readonly score?: {
    readonly total: number;
    readonly threshold: number;
    readonly contributions: readonly {
      readonly ruleId: string;
      readonly description: string;
      readonly score: number;
      readonly tree?: JudgedPart;
    }[];
  };
}

/** One place of an expression. */
export interface JudgedPart {
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  /** As text; long ones are cut around what matched, secret ones replaced by their length. */
  readonly value?: string;
  /** What of it matched. */
  readonly matched?: readonly string[];
  readonly parts?: readonly JudgedPart[];
}
