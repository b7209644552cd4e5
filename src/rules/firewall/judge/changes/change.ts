/** What rules that change requests and answers did to one request. Plain data, but for the filters. */
import type { Filter, RequestView, RewrittenUri } from '#expressions';
import type { ChosenSettings } from '#zone-settings';
import type { ChallengeKind } from '../../actions.ts';
import { type ChangingPhase, changingPhases } from '../../phases.ts';

/** What explanations call the kind of a rule that changed something. */
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
  /** Escaped: it can stand in a field. */
  readonly location: string;
}

/** What is absent stays. */
export interface Route {
  /** The `Host` field that the origin gets. */
  readonly hostHeader?: string;
  /** A name or an address. */
  readonly connectTo?: string;
  readonly port?: number;
  /** In the TLS handshake, and for the certificate. */
  readonly serverName?: string;
}

export interface FieldOperation {
  /** `set` replaces all fields of the name, `add` leaves them. */
  readonly operation: 'set' | 'add' | 'remove';
  readonly name: string;
  /** Bytes without control characters; absent for `remove`. */
  readonly value?: string;
}

/** An answer in place of an error. */
export interface ServedError {
  readonly kind: 'error';
  readonly content: string;
  readonly contentType: string;
  /** That of the error if absent. */
  readonly status?: number;
}

export type Asked =
  | {
      readonly kind: 'object';
      readonly worker: string;
      readonly className: string;
      /** Bytes. */
      readonly name: string;
    }
  | { readonly kind: 'url'; readonly url: string };

/** What a rule wants to know about a request. Names of fields are in lower case. */
export interface Question {
  readonly asked: Asked;
  readonly timeoutMs: number;
  /** For how long an answer counts for the same question; 0 if each request is to be asked about. */
  readonly keepSeconds: number;
  readonly defaultAction: 'pass' | 'block' | ChallengeKind;
  readonly told: readonly ('method' | 'host' | 'uri' | 'address')[];
  readonly sentFields: readonly string[];
  readonly copiedFields: readonly string[];
  /** Why it cannot be asked. */
  readonly problem?: string;
}

/** What the visitor gets in place of the page. */
export interface GivenAnswer {
  readonly status: number;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Whether it was asked for this request, kept from another one, recorded with it, or only assumed. */
      readonly from: 'answered' | 'kept' | 'recorded' | 'assumed';
      readonly action?: 'pass' | ChallengeKind;
      /** Of those that the rule copies. */
      readonly fields: readonly (readonly [name: string, value: string])[];
      /** If the answer is the visitor's. */
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
  /** The rule matched, and what it wanted could not be done. */
  | { readonly kind: 'nothing'; readonly reason: string };

/** What a rule does to a request that it matches. */
export type Act = (view: RequestView) => Effect;

const fieldVerbs = { set: 'sets', add: 'adds', remove: 'removes' } as const;

/** For people. Values of fields are not in it: they may be secrets. */
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

/** For people: who was asked, and what came of it. */
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
