/** What rules did to requests: searched, counted, watched, explained, and excepted. */
import './activity.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { EventSearch } from '../../api/events.ts';
import { timelineQuery } from '../../api/event-timeline.ts';
import { useZoneId } from '../../api/queries.ts';
import { sinceDefault } from '../../api/timeline.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TimelineChart } from '../../parts/timeline/timeline-chart.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Loading } from '../../parts/reading/states.tsx';
import { EventPanel } from './event/event-panel.tsx';
import { EventResults } from './event-results.tsx';
import { Facets } from './facets.tsx';
import { addCondition, changeSearch, type Condition, type SearchChanges } from './search.ts';
import { SearchBar } from './search-bar.tsx';
import { useFoundEvents } from './use-found-events.ts';
import { useWalk } from './use-walk.ts';

const route = getRouteApi('/signed-in/zones/$zoneId/activity');

export function ActivityPage() {
  const { event, ...asked } = route.useSearch();
  const navigate = route.useNavigate();
  const [isLive, setIsLive] = useState(false);
  const search = { since: sinceDefault, ...asked };
  const change = (changes: SearchChanges): void =>
    void navigate({ search: (before) => changeSearch(before, changes) });
  const add = (condition: Condition): void =>
    change({ where: addCondition(asked.where ?? [], condition), event: undefined });
  const open = (id: string | undefined): void => change({ event: id });
  const found = useFoundEvents(search, isLive);
  const walk = useWalk({ events: found.events, opened: event, onOpen: open, onClose: () => open(undefined) });
  return (
    <>
      <PageHead
        title="Activity log"
        about="Every time a rule acted on a request. Click a value to narrow the search to it; j and k walk through events."
      >
        <Button onClick={() => setIsLive(!isLive)} aria-pressed={isLive} look={isLive ? 'primary' : 'plain'}>
          {isLive ? 'Stop watching' : 'Watch live'}
        </Button>
      </PageHead>
      <div className="stack">
        <SearchBar search={search} onChange={change} />
        <History search={search} onChange={change} isLive={isLive} />
        <div className="activity-found" data-opened={event !== undefined}>
          {event === undefined && <Facets search={search} onAdd={add} />}
          <EventResults found={found} opened={event} {...{ search, isLive }} onAdd={add} onOpen={open} />
          {event !== undefined && (
            <EventPanel eventId={event} walk={walk} onClose={() => open(undefined)} onAdd={add} />
          )}
        </div>
      </div>
    </>
  );
}

interface HistoryProps {
  readonly search: EventSearch;
  readonly onChange: (changes: SearchChanges) => void;
  readonly isLive: boolean;
}

const liveRefreshMs = 5_000;

function History({ search, onChange, isLive }: HistoryProps) {
  const timeline = useQuery({
    ...timelineQuery(useZoneId(), search),
    placeholderData: keepPreviousData,
    refetchInterval: isLive && liveRefreshMs,
  });
  // The list below says what is wrong with the search.
  if (timeline.isError) return null;
  return (
    <Card className="activity-history">
      {timeline.isPending ? (
        <Loading rows={4} />
      ) : (
        <TimelineChart
          timeline={timeline.data}
          onSelect={(sinceMs, untilMs) =>
            onChange({ since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() })
          }
        />
      )}
    </Card>
  );
}
