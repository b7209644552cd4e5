/**
 * Counts the requests of an edge by zone and minute until the counts are collected. Counting costs a request one
 * look-up and some additions. Uncollected counts are bounded: without a control plane, the oldest minutes are lost.
 */
import { tallyRowsMax } from './limits.ts';
import { createCounts, placeOfField, type TrafficField, type TrafficRow } from './traffic-counts.ts';

export interface CountedRequest {
  readonly zoneId: string;
  /** When it ended, in milliseconds since 1970. */
  readonly endedAtMs: number;
  readonly verdict: 'forwarded' | 'blocked' | 'challenged' | 'answered' | 'unserved';
  /** Undefined if the client got no response. */
  readonly status: number | undefined;
  /** Whether a rule acted on it, so that the activity log has an event. */
  readonly hasEvents: boolean;
  /** Whether the origin could not be reached, or did not answer. */
  readonly hasOriginFailed?: boolean;
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

interface OpenRow {
  readonly zoneId: string;
  readonly minute: number;
  readonly counts: number[];
}

const statusPlaces = (
  [
    'statusNone',
    'status1xx',
    'status2xx',
    'status3xx',
    'status4xx',
    'status5xx',
  ] as const satisfies TrafficField[]
).map((field) => placeOfField[field]);
const { withEvents, receivedBytes, sentBytes, originFailed } = placeOfField;

export class TrafficTally {
  /** The last minute of each zone. */
  readonly #open = new Map<string, OpenRow>();
  #closed: TrafficRow[] = [];

  count(request: CountedRequest): void {
    const { zoneId, status } = request;
    const minute = Math.floor(request.endedAtMs / 60_000);
    let row = this.#open.get(zoneId);
    if (row === undefined || row.minute !== minute) {
      if (row !== undefined) this.#close(row);
      row = { zoneId, minute, counts: createCounts() };
      this.#open.set(zoneId, row);
    }
    const { counts } = row;
    counts[placeOfField[request.verdict]]!++;
    counts[statusPlaces[status === undefined ? 0 : Math.floor(status / 100)] ?? statusPlaces[0]!]!++;
    if (request.hasEvents) counts[withEvents]!++;
    if (request.hasOriginFailed === true) counts[originFailed]!++;
    counts[receivedBytes]! += request.receivedBytes;
    counts[sentBytes]! += request.sentBytes;
  }

  /** The counts since the last call. */
  take(): readonly TrafficRow[] {
    const rows = [...this.#closed, ...this.#open.values()];
    this.#closed = [];
    this.#open.clear();
    return rows;
  }

  /** Rows wait for longer than a minute only while the control plane is unavailable. */
  #close(row: TrafficRow): void {
    if (this.#closed.length >= tallyRowsMax) this.#closed.splice(0, tallyRowsMax / 10);
    this.#closed.push(row);
  }
}
