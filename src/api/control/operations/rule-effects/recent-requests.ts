/** Requests that were recorded, whatever became of them. */
import type { Value } from '#expressions';

export interface RecentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly ip: string;
  readonly country?: string;
  readonly asn?: number | undefined;
  /** What else is known of where its address is, by the keys of fields. */
  readonly readPlace?: (key: string) => Value | undefined;
  readonly receivedAtMs: number;
  /** Whether it had a session cookie or an Authorization header; undefined if the log does not say. */
  readonly isSignedIn: boolean | undefined;
}

export interface RequestsRead {
  readonly source: 'access log' | 'activity log';
  /** The oldest first. */
  readonly requests: readonly RecentRequest[];
  /** What the log has not kept: fields, and those below them. */
  readonly unknownFields: readonly string[];
}

interface Wanted {
  readonly max: number;
  /** Whether somebody asks where addresses are: a database is opened for it. */
  readonly needsPlaces: boolean;
}

/** The log of an edge of this program. */
export interface RecentRequests {
  /** The last ones of a zone; undefined if there is no log that could be read. */
  read(zoneName: string, wanted: Wanted): Promise<RequestsRead | undefined>;
}
