/** A zone at a glance: what protects it, and what happened. A range chosen in the chart narrows everything on the page. */
import './overview.css';
import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { EventSearch } from '../../api/events.ts';
import { sinceDefault, timelineQuery } from '../../api/event-timeline.ts';
import { zoneQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EventChart } from '../../parts/event-chart.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { formatTime } from '../../parts/time.tsx';
import { ProtectionCard } from './protection-card.tsx';
import { TopList } from './top-list.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/');

export function OverviewPage() {
  const { zoneId } = route.useParams();
  const { data: zone } = useSuspenseQuery(zoneQuery(zoneId));
  const range = route.useSearch();
  const search = { since: sinceDefault, ...range };
  const lists = { zoneId, search };
  return (
    <>
      <PageHead title="Overview" about={`What protects ${zone.name} now, and what its rules did.`} />
      <ProtectionCard zone={zone} />
      <History zoneId={zoneId} search={search} />
      <div className="overview-lists">
        <TopList {...lists} title="Rules" field="ruleId" labelField="description" />
        <TopList {...lists} title="Paths" field="clientRequestPath" />
        <TopList {...lists} title="Addresses" field="clientIP" />
        <TopList
          {...lists}
          title="Countries"
          field="clientCountryName"
          hint="Countries are unknown: start the server with --geoip-city and a GeoIP database."
        />
      </div>
    </>
  );
}

function History({ zoneId, search }: { readonly zoneId: string; readonly search: EventSearch }) {
  const navigate = route.useNavigate();
  const timeline = useQuery({ ...timelineQuery(zoneId, search), placeholderData: keepPreviousData });
  const isNarrow = search.until !== undefined;
  return (
    <Card
      title={isNarrow ? `What rules did, ${describeRange(search)}` : 'What rules did in the last 24 hours'}
      className="overview-history"
      actions={
        <div className="row">
          {isNarrow && <Button onClick={() => void navigate({ search: {} })}>Last 24 hours</Button>}
          <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={search}>
            Open in the activity log
          </Link>
        </div>
      }
    >
      {timeline.isPending ? (
        <Loading rows={4} />
      ) : timeline.isError ? (
        <Failed error={timeline.error} onRetry={() => void timeline.refetch()} />
      ) : (
        <EventChart
          timeline={timeline.data}
          onSelect={(sinceMs, untilMs) =>
            void navigate({
              search: { since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() },
            })
          }
        />
      )}
    </Card>
  );
}

function describeRange({ since, until }: EventSearch): string {
  return [since, until].map((time) => formatTime(new Date(time!))).join(' – ');
}
