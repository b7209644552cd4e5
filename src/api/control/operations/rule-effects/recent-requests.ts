/** Recorded requests, whatever their outcome. */
import type { Value } from '#expressions';

export interface RecentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  readonly ip: string;
  readonly country?: string;
  readonly asn?: number | undefined;
  /** Further facts about the location of its address, by field key. */
  readonly readPlace?: (key: string) => Value | undefined;
  readonly receivedAtMs: number;
  /** Whether it had a session cookie or an Authorization header; undefined if the log does not contain that. */
  readonly isSignedIn: boolean | undefined;
}

export interface RequestsRead {
  readonly source: 'access log' | 'activity log';
  /** Oldest first. */
  readonly requests: readonly RecentRequest[];
  /** Fields that the log does not contain: they, and the fields below them. */
  readonly unknownFields: readonly string[];
}

interface Wanted {
  readonly max: number;
  /** Whether locations of addresses are needed: reading them opens a database. */
  readonly needsPlaces: boolean;
}

/** The log of an edge of this program. */
export interface RecentRequests {
  /** The last requests of a zone; undefined if no log can be read. */
  read(zoneName: string, wanted: Wanted): Promise<RequestsRead | undefined>;
}
