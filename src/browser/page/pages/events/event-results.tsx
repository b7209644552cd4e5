/** The events that a search has found, or why there are none. */
import { Link } from '@tanstack/react-router';
import { describeError } from '../../api/api-error.ts';
import type { EventSearch } from '../../api/events.ts';
import { useZone } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, Message, Failed, Loading } from '../../parts/reading/states.tsx';
import { EventList } from './event-list.tsx';
import type { LiveTail } from './live-tail.ts';
import type { Condition } from './search.ts';
import type { FoundEvents } from './use-found-events.ts';

interface EventResultsProps {
  readonly found: FoundEvents;
  readonly search: EventSearch;
  readonly isLive: boolean;
  readonly opened: string | undefined;
  readonly onAdd: (condition: Condition) => void;
  readonly onOpen: (eventId: string) => void;
}

export function EventResults({ found, search, isLive, opened, onAdd, onOpen }: EventResultsProps) {
  const { events, query, tail } = found;
  if (query.isPending) return <Loading rows={8} />;
  if (query.isError && events.length === 0)
    return <SearchFailed error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div>
      <div className="row row-apart soft activity-state">
        <p role="status">{describeCount(events.length, query.hasNextPage)}</p>
        {isLive ? (
          <TailState tail={tail} />
        ) : (
          <Button look="quiet" onClick={() => void query.refetch()} isBusy={query.isFetching}>
            Refresh
          </Button>
        )}
      </div>
      {events.length === 0 ? (
        <NothingFound search={search} hasMore={query.hasNextPage} onMore={() => void query.fetchNextPage()} />
      ) : (
        <EventList
          events={events}
          opened={opened}
          hasMore={query.hasNextPage}
          isLoading={query.isFetchingNextPage}
          error={query.isFetchNextPageError ? query.error : undefined}
          onMore={() => void query.fetchNextPage()}
          onAdd={onAdd}
          onOpen={onOpen}
        />
      )}
    </div>
  );
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

/** The server marks the error in an expression with carets below it, which need a monospaced font. */
function SearchFailed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const text = describeError(error);
  if (!text.includes('\n')) return <Failed error={error} onRetry={onRetry} />;
  return (
    <div className="state state-failed" role="alert">
      <p className="state-title">Invalid search expression</p>
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
  const zone = useZone();
  if (hasMore) {
    return (
      <Message title="Nothing found so far">
        <p>The newest events do not match. Older ones have not been searched yet.</p>
        <Button onClick={onMore}>Search further back</Button>
      </Message>
    );
  }
  const isNarrow = search.expression !== undefined || (search.where ?? []).length > 0;
  if (isNarrow)
    return <Message title="No events in this time">Remove a condition or choose a longer time.</Message>;
  return (
    <Empty title="No events in this time" command={`gatehouse events tail ${zone.name}`}>
      No rule has acted on a request. A request that no rule acts on creates no event.{' '}
      <Link to="/start" search={{ goal: 'protect', zone: zone.id }}>
        Send a test attack
      </Link>
      , or watch in a terminal:
    </Empty>
  );
}
