/**
 * The counts of a zone's requests in one minute or hour: a number for each field, in a fixed order. Fields may be added
 * at the end, but never moved or removed. The store encodes these numbers as LEB128, seven bits per byte, the lowest
 * first; numbers that are missing at the end are zero.
 */

/** Each request has one verdict and one status. */
const trafficFields = [
  'forwarded',
  'blocked',
  'challenged',
  'answered',
  'unserved',
  'withEvents',
  'statusNone',
  'status1xx',
  'status2xx',
  'status3xx',
  'status4xx',
  'status5xx',
  'receivedBytes',
  'sentBytes',
  /** Forwarded requests whose origin did not answer. */
  'originFailed',
] as const;

export type TrafficField = (typeof trafficFields)[number];

/** In the order of `trafficFields`. */
export type TrafficCounts = readonly number[];

/** The requests of a zone that ended in one minute, or a part of them. */
export interface TrafficRow {
  readonly zoneId: string;
  /** Minutes since 1970. */
  readonly minute: number;
  readonly counts: TrafficCounts;
}

export const placeOfField = Object.fromEntries(
  trafficFields.map((field, place) => [field, place]),
) as Readonly<Record<TrafficField, number>>;

export function createCounts(): number[] {
  return trafficFields.map(() => 0);
}

export function addCounts(sum: number[], counts: TrafficCounts): void {
  for (let place = 0; place < sum.length; place++) sum[place] = sum[place]! + (counts[place] ?? 0);
}

export function writeCounts(counts: TrafficCounts): Uint8Array {
  const bytes: number[] = [];
  for (const count of counts) {
    let rest = count;
    // Byte counts exceed the 32 bits that shifts work on.
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

export function readCounts(bytes: Uint8Array): number[] {
  const counts = createCounts();
  let place = 0;
  let scale = 1;
  for (const byte of bytes) {
    if (place < counts.length) counts[place] = counts[place]! + (byte % 0x80) * scale;
    scale = byte < 0x80 ? 1 : scale * 0x80;
    if (byte < 0x80) place++;
  }
  return counts;
}
