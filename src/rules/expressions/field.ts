/** The properties of a field of a request or response. */
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/**
 * The servers that can fill a field: any `proxy`; a proxy with a `geo` database; one that terminates `tls`; one that
 * sees the raw `client hello`; only the `global` network of a large provider. `constant` fields are filled by the
 * language itself.
 */
export type FilledBy = 'proxy' | 'geo' | 'tls' | 'client hello' | 'global' | 'constant';

/** When a field has its value: with the head of the request, with the buffered body, or with the response. */
export type Stage = 'request' | 'body' | 'response';

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** The value if the source of the request does not provide one. Never nil: only indexing and functions return nil. */
  readonly default: Value;
  /**
   * The name under which a request view returns the value: `name`, or the name of the field that replaced a deprecated
   * one.
   */
  readonly key: string;
  readonly filledBy: FilledBy;
  readonly stage: Stage;
  /** One sentence for hover and reference. */
  readonly summary: string;
  /** The name to use instead. */
  readonly replacedBy?: string;
  /** Neither offered nor listed: only functions read it. */
  readonly isHidden?: boolean;
}
