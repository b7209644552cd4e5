/**
 * How a request was judged, in a form that can be stored: what `explain` shows of an event. All of it is readable text.
 */
import type { PartKind } from '#request';

export interface Judged {
  /** The version of the zone's configuration. */
  readonly version: number;
  /** The path as rules see it, if it differs from the one that the client sent. */
  readonly path?: string;
  /** Every list of rules that the request reached, in order. */
  readonly steps: readonly JudgedStep[];
  /** The rules that acted; the one that decided is the last. */
  readonly rules: readonly JudgedRule[];
  /** The rules that changed the request or its response; absent if there are none. */
  readonly changes?: readonly JudgedChange[];
  /** The rules that would have decided without the one that did; absent if there are none. */
  readonly alsoDeciding?: readonly JudgedDecider[];
}

/** A change that a rule made to the request or its response. */
export interface JudgedChange {
  readonly source: string;
  readonly phase: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly description: string;
  /** A readable description: `redirects to https://example.com/ with status 301`. */
  readonly effect: string;
  readonly tree?: JudgedPart;
}

interface RuleReference {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly action: string;
  readonly description: string;
}

/** A rule that the request did not reach. */
export interface JudgedDecider extends RuleReference {
  /** Its matches in this request. */
  readonly found?: readonly FoundMatch[];
  /** The rules that add up to its score. */
  readonly contributors?: readonly string[];
}

export interface JudgedStep {
  readonly source: string;
  readonly phase: string;
  readonly rulesetId: string;
  readonly version: string;
  readonly level: string;
  readonly reached: number;
  readonly ruleCount: number;
  /** Including rules that matched without acting. */
  readonly matched: readonly string[];
  readonly end: string;
}

export interface JudgedRule extends RuleReference {
  /** Undefined if a score decided, and for some rules of a request that triggers many. */
  readonly tree?: JudgedPart;
  readonly score?: JudgedScore;
  /** The evidence that supports an uncertain detector. */
  readonly evidence?: JudgedScore;
  /** For a rule that limits rates: the count and the limit. */
  readonly rate?: string;
  /** For a rule that asks objects or servers: which one was asked, and the result. */
  readonly asked?: string;
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

/** One node of an expression. */
export interface JudgedPart {
  /** The part as written; long ones are truncated. */
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  /** The value as text; long ones are cut around the match, secrets are hidden. */
  readonly value?: string;
  readonly matched?: readonly JudgedMatch[];
  readonly parts?: readonly JudgedPart[];
}

/** The part of a value that matched. */
export interface JudgedMatch {
  readonly text: string;
  /** The byte range in the value; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** The index of the element, from 0. */
  readonly element?: number;
  readonly where?: JudgedPlace;
  /** Why a detector considers it an attack, and what it had to decode; absent for other rules. */
  readonly why?: string;
}

/** A match outside of the tree that shows its field. */
export interface FoundMatch extends JudgedMatch {
  readonly field?: string;
}

/** The cookie, argument, header or body field that contains the match. */
export interface JudgedPlace {
  readonly kind: PartKind;
  /** `items[3].note` for parts of JSON, `order/item@id` for parts of XML; empty for a path. */
  readonly name: string;
  /** The byte offset in the value of that part, as the rule reads it; absent if the match is not in the value alone. */
  readonly start?: number;
}
