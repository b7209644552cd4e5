/** All requests of a zone over time, including those that no rule acted on. */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from './client.ts';
import type { Series, Timeline } from './timeline.ts';

type Traffic = Result<'traffic.get'>;

const series: readonly Series[] = [
  { name: 'blocked', label: 'Blocked', color: '--bad' },
  { name: 'challenged', label: 'Challenged', color: '--warn' },
  { name: 'other', label: 'Answered by the edge', color: '--info' },
  { name: 'forwarded', label: 'Passed to the origin', color: '--good' },
];

/** How often edges report their counts. */
const reportedEveryMs = 10_000;

interface Range {
  readonly since: string;
  readonly until?: string | undefined;
}

export function trafficQuery(zoneId: string, { since, until }: Range) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'traffic', since, until],
    async queryFn({ signal }): Promise<Timeline> {
      const query = { since, until };
      return layOut(
        await resultOf(client.get('/zones/{zone_id}/traffic', { zone_id: zoneId, query, signal })),
      );
    },
    refetchInterval: until === undefined ? reportedEveryMs : false,
  });
}

function layOut({ points, totals, interval_seconds }: Traffic): Timeline {
  return {
    series,
    noun: ['request', 'requests'],
    stretchMs: interval_seconds * 1_000,
    stretches: points.map((point) => ({ startMs: Date.parse(point.datetime), counts: sortCounts(point) })),
    totals: sortCounts(totals),
    total: totals.requests,
    isComplete: true,
  };
}

function sortCounts({
  verdicts: { answered, unserved, ...others },
}: Traffic['totals']): Readonly<Record<string, number>> {
  return { ...others, other: answered + unserved };
}
