/** The activity log as the API returns it. Clients control all text in it: it is only shown as text. */
import type { Result } from '#client';
import { client, resultOf } from './client.ts';
import { read } from './read.ts';
import type { SecurityEvent } from './types.ts';

export interface EventSearch {
  readonly since?: string;
  readonly until?: string;
  readonly expression?: string;
  readonly where?: readonly string[];
}

export type EventSummary = Result<'security.summarize'>;
export type EventFacet = Result<'security.listFacets'>['facets'][number];

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  readonly cursor: string | undefined;
}

export interface EventPageOptions {
  readonly cursor?: string | undefined;
  readonly count: number;
  readonly signal?: AbortSignal | undefined;
}

export async function findEvents(
  zoneId: string,
  search: EventSearch,
  { cursor, count, signal }: EventPageOptions,
): Promise<EventPage> {
  const query = { ...search, cursor, per_page: count };
  const answer = await client.get('/zones/{zone_id}/security/events', { zone_id: zoneId, query, signal });
  return { events: answer.result, cursor: answer.result_info?.cursors?.after };
}

interface Counting {
  readonly by?: readonly string[];
  readonly interval?: string;
  readonly limit?: number;
}

export function countEvents(
  zoneId: string,
  search: EventSearch,
  { signal, ...counting }: Counting & { readonly signal?: AbortSignal } = {},
): Promise<EventSummary> {
  const query = { ...search, ...counting };
  return resultOf(client.get('/zones/{zone_id}/security/events/summary', { zone_id: zoneId, query, signal }));
}

export function summaryQuery(zone_id: string, search: EventSearch, counting: Counting) {
  return read('/zones/{zone_id}/security/events/summary', { zone_id, query: { ...search, ...counting } });
}

/** The most frequent values of several fields, counted in one pass over the log. */
export function facetsQuery(zone_id: string, search: EventSearch, by: readonly string[]) {
  return read('/zones/{zone_id}/security/events/facets', { zone_id, query: { ...search, by } });
}
