/** How a request was judged, as the API explains it. All of it is text for people, and some of it is the attacker's. */
export interface Judged {
  readonly version: number;
  /** The path as rules see it, if that is not what the client sent. */
  readonly path?: string;
  readonly steps: readonly JudgedStep[];
  readonly rules: readonly JudgedRule[];
  /** The rules that would have decided if the one that did were not there. */
  readonly alsoDeciding?: readonly NamedRule[];
}

interface NamedRule {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly action: string;
  readonly description: string;
}

export interface JudgedStep {
  readonly source: string;
  readonly phase: string;
  readonly level: string;
  readonly reached: number;
  readonly ruleCount: number;
  readonly matched: readonly string[];
  readonly end: string;
}

export interface JudgedRule extends NamedRule {
  readonly tree?: JudgedPart;
  readonly score?: {
    readonly total: number;
    readonly threshold: number;
    readonly contributions: readonly {
      readonly ruleId: string;
      readonly description: string;
      readonly score: number;
      readonly tree: JudgedPart;
    }[];
  };
}

/** An expression, or a part of it, with what it saw. */
export interface JudgedPart {
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  readonly value?: string;
  readonly matched?: readonly JudgedMatch[];
  readonly parts?: readonly JudgedPart[];
}

export interface JudgedMatch {
  readonly text: string;
  /** Bytes of the whole value; what is shown of it may be cut. */
  readonly start: number;
  readonly end: number;
  readonly element?: number;
  readonly where?: { readonly kind: string; readonly name: string; readonly start?: number };
  /** Why a detector takes it for an attack. */
  readonly why?: string;
}
