import type { HeaderField } from '../exchange.ts';
import type { FieldName } from '../field-names.ts';
import type { Framing } from '../body/framing.ts';

/** A head that has one reading only. */
export interface RequestHead {
  readonly method: string;
  /** In origin form, or `*`. */
  readonly target: string;
  readonly httpVersion: '1.0' | '1.1';
  readonly headers: readonly HeaderField[];
  readonly names: readonly FieldName[];
  /** Lower case, without port and trailing dot. */
  readonly host: string;
  readonly framing: Framing;
  /** The client is willing to send another request. */
  readonly isKeptAlive: boolean;
  readonly expectsContinue: boolean;
  readonly isWebSocket: boolean;
  /** Lower-case names that `Connection` ends here. */
  readonly namedByConnection: ReadonlySet<string> | undefined;
  /** All such fields, joined. */
  readonly forwardedFor: string | undefined;
  readonly forwardedProto: string | undefined;
  readonly loop: string | undefined;
  readonly acceptsHtml: boolean;
}
