/** An attack through the edge, and its event as soon as it is in the activity log. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { findEvents } from '../../api/events.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill } from '../../parts/pill.tsx';
import { Command } from '../../parts/reading/command.tsx';

const attacks = {
  sql: 'SQL injection',
  script: 'Script in a search',
  path: 'Path to a secret file',
} as const;
type Attack = keyof typeof attacks;
type Tested = Result<'protection.test'>;

/** Events are written in batches. */
const lookMs = 1_000;

export function TestStep({ zoneId }: { readonly zoneId: string }) {
  const test = useWrite({
    write: (kind: Attack | 'visit') =>
      resultOf(client.post('/zones/{zone_id}/protection/test', { zone_id: zoneId, body: { kind } })),
    failed: 'The request was not sent',
  });
  return (
    <>
      <p>Send a request through the edge, as a visitor or as an attacker would.</p>
      <div className="row">
        {(Object.keys(attacks) as Attack[]).map((kind) => (
          <Button
            key={kind}
            look={kind === 'sql' ? 'primary' : 'plain'}
            isBusy={test.isPending && test.variables === kind}
            onClick={() => test.mutate(kind)}
          >
            {attacks[kind]}
          </Button>
        ))}
        <Button isBusy={test.isPending && test.variables === 'visit'} onClick={() => test.mutate('visit')}>
          An ordinary visit
        </Button>
      </div>
      <div role="status" className="stack-close">
        {test.data !== undefined && <TestResult zoneId={zoneId} tested={test.data} />}
      </div>
    </>
  );
}

function TestResult({ zoneId, tested }: { readonly zoneId: string; readonly tested: Tested }) {
  const { status, ray, sentence, command } = tested;
  return (
    <>
      <p className="row">
        {status !== null && <Pill tone={status === 403 ? 'good' : 'info'}>{String(status)}</Pill>}
        <span>{sentence}</span>
      </p>
      {status === 403 && ray !== null && <FirstEvent zoneId={zoneId} ray={ray} />}
      <p className="soft">The same from a terminal:</p>
      <Command text={command} />
    </>
  );
}

function FirstEvent({ zoneId, ray }: { readonly zoneId: string; readonly ray: string }) {
  const search = { since: '1h', where: [`rayName:eq:${ray}`] };
  const { data: event } = useQuery({
    queryKey: ['zones', zoneId, 'first-event', ray],
    queryFn: async ({ signal }) => (await findEvents(zoneId, search, { count: 1, signal })).events[0] ?? null,
    refetchInterval: ({ state }) => (state.data == null ? lookMs : false),
  });
  if (event == null) return <p className="soft">Waiting for its event …</p>;
  return (
    <div className="box stack-close">
      <strong>Your first event</strong>
      <EventSentence zoneId={zoneId} eventId={event.id} />
      <Link to="/zones/$zoneId/activity" params={{ zoneId }} search={{ event: event.id }}>
        See everything about it in the activity log
      </Link>
    </div>
  );
}

function EventSentence({ zoneId, eventId }: { readonly zoneId: string; readonly eventId: string }) {
  const { data } = useQuery(
    read('/zones/{zone_id}/security/events/{event_id}/explain', { zone_id: zoneId, event_id: eventId }),
  );
  return data === undefined ? null : <p className="wrap">{data.sentence}</p>;
}
