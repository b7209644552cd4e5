import type { RequestMessage } from '#request';
import type { FieldName } from '../field-names.ts';
import type { Framing } from '../body/framing.ts';

/** A head that every server reads in the same way, without the fields that `Connection` names. */
export interface RequestHead extends RequestMessage {
  readonly names: readonly FieldName[];
  /** The lines of the fields that every origin receives; undefined if that depends on the zone or the client. */
  readonly kept: string | undefined;
  /** Lower case, without port and trailing dot. */
  readonly host: string;
  readonly framing: Framing;
  /** Whether the client may send another request. */
  readonly isKeptAlive: boolean;
  readonly expectsContinue: boolean;
  readonly isWebSocket: boolean;
  /** All such fields, joined. */
  readonly forwardedFor: string | undefined;
  readonly forwardedProto: string | undefined;
  readonly loop: string | undefined;
  readonly acceptsHtml: boolean;
}
