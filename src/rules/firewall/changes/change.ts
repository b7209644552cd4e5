/** The changes that rules made to one request or its response. Plain data, except for the filters. */
import type { Filter, RequestView, RewrittenUri } from '#expressions';
import type { ChosenSettings } from '#zone-settings';
import { type ChallengeKind, type ChangingPhase, changingPhases } from '#rulesets';

/** The kind of a changing rule, as explanations name it. */
export type ChangeSource = (typeof changingPhases)[ChangingPhase] | 'pagerule';

export interface ChangedBy {
  readonly source: ChangeSource;
  /** Empty for page rules. */
  readonly phase: string;
  readonly ruleId: string;
  /** Empty for page rules. */
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
  readonly filter?: Filter;
}

export interface Change extends ChangedBy {
  readonly effect: Effect;
}

interface Redirect {
  readonly kind: 'redirect';
  readonly status: number;
  /** Escaped: it can be the value of a header field. */
  readonly location: string;
}

/** Absent properties stay unchanged. */
export interface Route {
  /** The `Host` field for the origin. */
  readonly hostHeader?: string;
  /** A name or an address. */
  readonly connectTo?: string;
  readonly port?: number;
  /** For the TLS handshake, and for the certificate. */
  readonly serverName?: string;
}

export interface FieldOperation {
  /** `set` replaces all fields with the name, `add` keeps them. */
  readonly operation: 'set' | 'add' | 'remove';
  readonly name: string;
  /** Bytes without control characters; absent for `remove`. */
  readonly value?: string;
}

/** A response in place of an error. */
export interface ServedError {
  readonly kind: 'error';
  readonly content: string;
  readonly contentType: string;
  /** The status of the error if absent. */
  readonly status?: number;
}

export type Asked =
  | {
      readonly kind: 'object';
      readonly worker: string;
      readonly className: string;
      /** A binary string. */
      readonly name: string;
    }
  | { readonly kind: 'url'; readonly url: string };

/** A question of a rule about a request. Names of fields are in lower case. */
export interface Question {
  readonly asked: Asked;
  readonly timeoutMs: number;
  /** How long an answer is reused for the same question; 0 to ask about each request. */
  readonly keepSeconds: number;
  readonly defaultAction: 'pass' | 'block' | ChallengeKind;
  readonly told: readonly ('method' | 'host' | 'uri' | 'address')[];
  readonly sentFields: readonly string[];
  readonly copiedFields: readonly string[];
  /** Why it cannot be asked. */
  readonly problem?: string;
}

/** The visitor's response in place of the page. */
export interface GivenAnswer {
  readonly status: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whether the question was asked for this request, or the answer was cached, recorded or only assumed. */
      readonly from: 'answered' | 'kept' | 'recorded' | 'assumed';
      readonly action?: 'pass' | ChallengeKind;
      /** The fields that the rule copies. */
      readonly fields: readonly (readonly [name: string, value: string])[];
      /** Set if the answer becomes the visitor's response. */
      readonly given?: GivenAnswer;
    }
  | { readonly kind: 'none'; readonly reason: string };

export type Effect =
  | Redirect
  | ({ readonly kind: 'uri' } & RewrittenUri)
  | ({ readonly kind: 'route' } & Route)
  | ServedError
  | { readonly kind: 'settings'; readonly settings: ChosenSettings }
  | { readonly kind: 'fields'; readonly operations: readonly FieldOperation[] }
  | { readonly kind: 'question'; readonly question: Question; readonly answer?: Answer }
  /** The rule matched, but its action was impossible. */
  | { readonly kind: 'nothing'; readonly reason: string };

/** The action of a rule on a request that it matches. */
export type Act = (view: RequestView) => Effect;

const fieldVerbs = { set: 'sets', add: 'adds', remove: 'removes' } as const;

/** A readable description without values of fields: they may be secrets. */
export function describeEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'redirect':
      return `redirects to ${effect.location} with status ${effect.status}`;
    case 'uri':
      return [
        ...(effect.path === undefined ? [] : [`rewrites the path to ${effect.path}`]),
        ...(effect.query === undefined
          ? []
          : [effect.query === '' ? 'removes the query' : `rewrites the query to ${effect.query}`]),
      ].join(', ');
    case 'route':
      return [
        ...(effect.connectTo === undefined ? [] : [`connects to ${effect.connectTo}`]),
        ...(effect.port === undefined ? [] : [`uses port ${effect.port}`]),
        ...(effect.hostHeader === undefined ? [] : [`sends the host ${effect.hostHeader}`]),
        ...(effect.serverName === undefined ? [] : [`asks for a certificate of ${effect.serverName}`]),
      ].join(', ');
    case 'error':
      return `answers with its own page of type ${effect.contentType}${
        effect.status === undefined ? '' : ` and status ${effect.status}`
      }`;
    case 'settings':
      return Object.entries(effect.settings)
        .map(([name, value]) => `sets ${name} to ${JSON.stringify(value)}`)
        .join(', ');
    case 'fields':
      return effect.operations.length === 0
        ? 'does nothing: the value is empty, or cannot stand in a field'
        : effect.operations.map(({ operation, name }) => `${fieldVerbs[operation]} ${name}`).join(', ');
    case 'question':
      return describeQuestion(effect.question, effect.answer);
    case 'nothing':
      return `does nothing: ${effect.reason}`;
  }
}

/** A readable description of the question's target and the result. */
export function describeQuestion(
  { asked, timeoutMs, defaultAction, problem }: Question,
  answer?: Answer,
): string {
  const whom =
    asked.kind === 'url'
      ? asked.url.replace(/\?.*/, '')
      : `the object ${JSON.stringify(asked.name)} of ${asked.className} in the Worker ${asked.worker}`;
  if (answer === undefined)
    return `asks ${whom}, and waits ${timeoutMs} ms for the answer${problem === undefined ? '' : `: ${problem}`}`;
  const fallback = defaultAction === 'pass' ? 'lets it pass' : `is ${defaultAction}`;
  if (answer.kind === 'none') return `asked ${whom}: no answer, ${answer.reason}; the default ${fallback}`;
  const action = answer.action === undefined ? '' : ` and the action ${answer.action}`;
  return `asked ${whom}: ${answer.from} status ${answer.status}${action}`;
}
