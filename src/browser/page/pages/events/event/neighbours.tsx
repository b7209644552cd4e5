/** Other events of the address and of the rule in the day before, to put one event into context. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { summaryQuery } from '../../../api/events.ts';
import { useZoneId } from '../../../api/queries.ts';
import type { SecurityEvent } from '../../../api/types.ts';
import { Resource } from '../../../parts/reading/resource.tsx';

const dayMs = 86_400_000;
const groupsMax = 1_000;

export function Neighbours({ event }: { readonly event: SecurityEvent }) {
  const { clientIP: address, ruleId } = event;
  const until = Date.parse(event.datetime) + 1;
  const day = { since: new Date(until - dayMs).toISOString(), until: new Date(until).toISOString() };
  return (
    <section className="stack-close">
      <h3>In the 24 hours before</h3>
      <ul className="list">
        {address !== '' && (
          <Neighbour search={{ ...day, where: [`clientIP:eq:${address}`] }} by="ruleId">
            {(count, rules) => `${address}: ${count}, by ${name(rules, 'rule', 'rules')}`}
          </Neighbour>
        )}
        <Neighbour search={{ ...day, where: [`ruleId:eq:${ruleId}`] }} by="clientIP">
          {(count, addresses) => `this rule: ${count}, from ${name(addresses, 'address', 'addresses')}`}
        </Neighbour>
      </ul>
    </section>
  );
}

interface NeighbourProps {
  readonly search: { readonly since: string; readonly until: string; readonly where: readonly string[] };
  readonly by: string;
  readonly children: (events: string, groups: string) => string;
}

function Neighbour({ search, by, children }: NeighbourProps) {
  const zoneId = useZoneId();
  const counted = useQuery(summaryQuery(zoneId, search, { by: [by], limit: groupsMax }));
  return (
    <li>
      <Resource of={counted} rows={1}>
        {({ total, groups, ungrouped, is_complete: isComplete }) => (
          <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={search}>
            {children(
              `${isComplete ? '' : 'more than '}${name(total.toLocaleString(), 'event', 'events')}`,
              `${ungrouped > 0 ? 'more than ' : ''}${groups.length.toLocaleString()}`,
            )}
          </Link>
        )}
      </Resource>
    </li>
  );
}

function name(count: string, one: string, many: string): string {
  return `${count} ${count === '1' ? one : many}`;
}
