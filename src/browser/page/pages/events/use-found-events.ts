/** The results of a search, page by page, with new events on top in live mode. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type EventPage, type EventSearch, findEvents } from '../../api/events.ts';
import { useZoneId } from '../../api/queries.ts';
import type { SecurityEvent } from '../../api/types.ts';
import { useLiveTail } from './live-tail.ts';

const pageSize = 500;

export type FoundEvents = ReturnType<typeof useFoundEvents>;

export function useFoundEvents(search: EventSearch, isLive: boolean) {
  const zoneId = useZoneId();
  const tail = useLiveTail({ zoneId, search, isOn: isLive });
  const query = useInfiniteQuery({
    queryKey: ['zones', zoneId, 'events', search],
    queryFn: ({ pageParam, signal }) =>
      findEvents(zoneId, search, { cursor: pageParam, count: pageSize, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: EventPage) => page.cursor,
    placeholderData: keepPreviousData,
    // Reading all pages again would cost as much as the reader has scrolled.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: false,
  });
  const events = useMemo(
    () => joinEvents(isLive ? tail.events : [], query.data?.pages ?? []),
    [isLive, tail.events, query.data],
  );
  return { events, query, tail };
}

/** Newest first; a live event that is also found is listed once. */
function joinEvents(live: readonly SecurityEvent[], pages: readonly EventPage[]): readonly SecurityEvent[] {
  const found = pages.flatMap(({ events }) => events);
  if (live.length === 0) return found;
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...found.filter(({ id }) => !known.has(id))];
}
