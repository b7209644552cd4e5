/** What the language knows about a field of a request or response. */
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/**
 * Who can fill a field: any `proxy`; a proxy with a `geo` database; one that ends `tls`; one that sees the raw
 * `client hello`; the `global` network of a large provider only. `constant` fields are filled by the language itself.
 */
export type FilledBy = 'proxy' | 'geo' | 'tls' | 'client hello' | 'global' | 'constant';

/** From when on a field has its value: with the request head, with the buffered body, with the response. */
export type Stage = 'request' | 'body' | 'response';

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** What a request view answers when it cannot tell. Never nil: only indexing and functions give nil. */
  readonly default: Value;
  /** Under which name a request view gives the value: `name`, or that of the field which replaced a deprecated one. */
  readonly key: string;
  readonly filledBy: FilledBy;
  readonly stage: Stage;
  /** One sentence for hover and reference. */
  readonly summary: string;
  /** The name to use instead. */
  readonly replacedBy?: string;
  /** Not offered or listed: functions read it on behalf of the user. */
  readonly isHidden?: boolean;
}
