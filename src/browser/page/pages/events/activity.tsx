/** What rules did to requests: search, counts, live view, explanations, and exceptions. */
import './activity.css';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { sinceDefault } from '../../api/timeline.ts';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { EventPanel } from './event/event-panel.tsx';
import { EventResults } from './event-results.tsx';
import { Facets } from './facets.tsx';
import { History } from './history.tsx';
import { SavedViews } from './saved-views.tsx';
import { addCondition, changeSearch, type Condition, type SearchChanges } from './search.ts';
import { SearchBar } from './search-bar.tsx';
import { useFoundEvents } from './use-found-events.ts';
import { useWalk } from './use-walk.ts';

const route = getRouteApi('/signed-in/zones/$zoneId/activity');

export function ActivityPage() {
  const { event, interval, compare, ...asked } = route.useSearch();
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
        about="Every action of a rule on a request. Click a value to narrow the search to it; j and k move between events."
      >
        <Button onClick={() => setIsLive(!isLive)} aria-pressed={isLive} look={isLive ? 'primary' : 'plain'}>
          {isLive ? 'Stop watching' : 'Watch live'}
        </Button>
      </PageHead>
      <div className="stack">
        <SavedViews
          search={{
            ...search,
            ...(interval === undefined ? {} : { interval }),
            ...(compare === undefined ? {} : { compare }),
          }}
        />
        <SearchBar search={search} onChange={change} />
        <History {...{ search, interval, compare, isLive }} onChange={change} />
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
