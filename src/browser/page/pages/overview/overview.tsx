/**
 * A zone at a glance: its protection, and recent events. A range chosen in the chart narrows everything on the page.
 */
import './overview.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { timelineQuery } from '../../api/event-timeline.ts';
import type { EventSearch } from '../../api/events.ts';
import { useZone } from '../../api/queries.ts';
import { sinceDefault, type Timeline } from '../../api/timeline.ts';
import { trafficQuery } from '../../api/traffic.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import type { Readable } from '../../parts/reading/together.ts';
import { formatTime } from '../../parts/time.tsx';
import { TimelineChart } from '../../parts/timeline/timeline-chart.tsx';
import { ProtectionCard } from './protection-card.tsx';
import { TopList } from './top-list.tsx';

const route = getRouteApi('/signed-in/zones/$zoneId/');

export function OverviewPage() {
  const zone = useZone();
  const range = route.useSearch();
  const search = { since: sinceDefault, ...range };
  return (
    <>
      <PageHead title="Overview" about={`What protects ${zone.name} now, and what its rules did.`} />
      <ProtectionCard />
      <Requests search={search} />
      <History search={search} />
      <div className="overview-lists">
        <TopList search={search} title="Rules" field="ruleId" labelField="description" />
        <TopList search={search} title="Paths" field="clientRequestPath" />
        <TopList search={search} title="Addresses" field="clientIP" />
        <TopList
          search={search}
          title="Countries"
          field="clientCountryName"
          format={formatCountry}
          hint="Countries are unknown: start the server with --geoip-city and a GeoIP database."
        />
      </div>
    </>
  );
}

interface ChartProps {
  readonly search: EventSearch & { readonly since: string };
}

function Requests({ search }: ChartProps) {
  const navigate = route.useNavigate();
  const { id: zoneId, name } = useZone();
  return (
    <ChartCard
      title={`Requests ${describeRange(search)}`}
      of={useQuery({ ...trafficQuery(zoneId, search), placeholderData: keepPreviousData })}
      actions={
        search.until !== undefined && (
          <Button onClick={() => void navigate({ search: {} })}>Last 24 hours</Button>
        )
      }
      empty={
        <Empty title="No request in this time" command={`gatehouse zones edge ${name}`}>
          Every request that comes through the edge is counted here, some ten seconds later.{' '}
          <Link to="/start" search={{ goal: 'protect', zone: zoneId }}>
            Send a test
          </Link>
        </Empty>
      }
    />
  );
}

function History({ search }: ChartProps) {
  const { id: zoneId, name } = useZone();
  return (
    <ChartCard
      title={`Rule actions ${describeRange(search)}`}
      of={useQuery({ ...timelineQuery(zoneId, search), placeholderData: keepPreviousData })}
      actions={
        <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={search}>
          Open in the activity log
        </Link>
      }
      empty={
        <Empty title="No rule acted on a request in this time" command={`gatehouse events tail ${name}`}>
          Requests that rules block, challenge or log appear here and in the activity log. To watch them live:
        </Empty>
      }
    />
  );
}

interface ChartCardProps {
  readonly title: string;
  readonly of: Readable<Timeline>;
  readonly actions: ReactNode;
  readonly empty: ReactNode;
}

/** A range that is chosen in the chart narrows the whole page to it. */
function ChartCard({ title, of, actions, empty }: ChartCardProps) {
  const navigate = route.useNavigate();
  const choose = (sinceMs: number, untilMs: number): void =>
    void navigate({
      search: { since: new Date(sinceMs).toISOString(), until: new Date(untilMs).toISOString() },
    });
  return (
    <Card title={title} className="overview-history" actions={actions}>
      <Resource of={of} rows={4}>
        {(timeline) =>
          timeline.total === 0 ? empty : <TimelineChart timeline={timeline} onSelect={choose} />
        }
      </Resource>
    </Card>
  );
}

function describeRange({ since, until }: EventSearch): string {
  if (until === undefined) return 'in the last 24 hours';
  return `from ${[since, until].map((time) => formatTime(new Date(time!))).join(' to ')}`;
}

const names = new Intl.DisplayNames(undefined, { type: 'region', fallback: 'none' });

/** The name of a country in the reader's language; codes that are not countries, such as Tor's, are shown unchanged. */
function formatCountry(code: string): string {
  return (/^[A-Z]{2}$/.test(code) ? names.of(code) : undefined) ?? code;
}
