/** How a request was judged, as the API explains it. All of it is text for people, and some of it is the attacker's. */
export interface JudgedPart {
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  readonly value?: string;
  readonly matched?: readonly { readonly text: string; readonly start: number; readonly end: number }[];
  readonly parts?: readonly JudgedPart[];
}

interface JudgedRule {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly action: string;
  readonly description: string;
  readonly tree?: JudgedPart;
}

export interface Judged {
  readonly version: number;
  readonly rules: readonly JudgedRule[];
}
