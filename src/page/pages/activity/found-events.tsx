/** What a search finds, page by page as the reader scrolls, with new events on top while watching. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { describeError } from '../../api/api-error.ts';
import { type EventPage, type EventSearch, findEvents } from '../../api/events.ts';
import { useZoneId } from '../../api/queries.ts';
import type { SecurityEvent } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Failed, Loading } from '../../parts/reading/states.tsx';
import { EventList } from './event-list.tsx';
import type { Condition } from './search.ts';
import { type LiveTail, useLiveTail } from './live-tail.ts';

interface FoundEventsProps {
  readonly search: EventSearch;
  readonly isLive: boolean;
  readonly onAdd: (condition: Condition) => void;
  readonly onOpen: (eventId: string) => void;
}

const pageSize = 500;

export function FoundEvents({ search, isLive, onAdd, onOpen }: FoundEventsProps) {
  const zoneId = useZoneId();
  const tail = useLiveTail({ zoneId, search, isOn: isLive });
  const found = useInfiniteQuery({
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
    () => joinEvents(isLive ? tail.events : [], found.data?.pages ?? []),
    [isLive, tail.events, found.data],
  );
  if (found.isPending) return <Loading rows={8} />;
  if (found.isError && events.length === 0)
    return <SearchFailed error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <div>
      <div className="row row-apart soft activity-state">
        <p role="status">{describeCount(events.length, found.hasNextPage)}</p>
        {isLive ? (
          <TailState tail={tail} />
        ) : (
          <Button look="quiet" onClick={() => void found.refetch()} isBusy={found.isFetching}>
            Refresh
          </Button>
        )}
      </div>
      {events.length === 0 ? (
        <NothingFound search={search} hasMore={found.hasNextPage} onMore={() => void found.fetchNextPage()} />
      ) : (
        <EventList
          events={events}
          hasMore={found.hasNextPage}
          isLoading={found.isFetchingNextPage}
          error={found.isFetchNextPageError ? found.error : undefined}
          onMore={() => void found.fetchNextPage()}
          onAdd={onAdd}
          onOpen={onOpen}
        />
      )}
    </div>
  );
}

/** Newest first; an event that was watched and is found as well is there once. */
function joinEvents(live: readonly SecurityEvent[], pages: readonly EventPage[]): readonly SecurityEvent[] {
  const found = pages.flatMap(({ events }) => events);
  if (live.length === 0) return found;
  const known = new Set(live.map(({ id }) => id));
  return [...live, ...found.filter(({ id }) => !known.has(id))];
}

function describeCount(count: number, hasMore: boolean): string {
  const number = count.toLocaleString();
  if (hasMore) return `The newest ${number} events are loaded; scroll for more.`;
  return count === 1 ? '1 event' : `${number} events`;
}

function TailState({ tail }: { readonly tail: LiveTail }) {
  const words = {
    off: '',
    connecting: 'Connecting…',
    live: 'Watching',
    lost: 'The connection was lost; trying again…',
  }[tail.state];
  return (
    <div className="row">
      <span role="status" className="soft">
        {tail.isPaused ? `Paused, ${tail.waiting.toLocaleString()} new` : words}
        {tail.missed > 0 && `, ${tail.missed.toLocaleString()} left out`}
      </span>
      <Button onClick={() => tail.setIsPaused(!tail.isPaused)}>{tail.isPaused ? 'Resume' : 'Pause'}</Button>
    </div>
  );
}

/** The server says where an expression is wrong, with carets below it: those need the letters to have one width. */
function SearchFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const text = describeError(error);
  if (!text.includes('\n')) return <Failed error={error} onRetry={onRetry} />;
  return (
    <div className="state state-failed" role="alert">
      <p className="state-title">This search cannot be read</p>
      <pre className="block">{text}</pre>
    </div>
  );
}

interface NothingFoundProps {
  readonly search: EventSearch;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

function NothingFound({ search, hasMore, onMore }: NothingFoundProps) {
  if (hasMore) {
    return (
      <Empty title="Nothing found so far">
        <p>The newest events do not match. Older ones have not been looked at.</p>
        <Button onClick={onMore}>Look further back</Button>
      </Empty>
    );
  }
  const isNarrow = search.expression !== undefined || (search.where ?? []).length > 0;
  return (
    <Empty title="No events in this time">
      {isNarrow
        ? 'Remove a condition or choose a longer time.'
        : 'No rule has acted on a request. A request that no rule acts on leaves no event.'}
    </Empty>
  );
}
