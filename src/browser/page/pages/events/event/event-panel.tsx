/** One event: what happened, the request with marked findings, the reasons, related events, and actions. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useZoneId } from '../../../api/queries.ts';
import { read } from '../../../api/read.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { ActionPill } from '../../../parts/pill.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { Time } from '../../../parts/time.tsx';
import { AddressButtons } from './address-buttons.tsx';
import { copyAsCurl } from './copy-as-curl.ts';
import { EventFrame } from './event-frame.tsx';
import { Value } from '../event-list.tsx';
import { ExceptionForm } from './exception-form.tsx';
import type { Explained } from './explained.ts';
import { ExplanationView } from './explanation.tsx';
import { describeSource, detailFields, labelOf } from '../fields.ts';
import { Neighbours } from './neighbours.tsx';
import { SentRequest } from './sent-request.tsx';
import type { Condition } from '../search.ts';
import type { Walk } from '../use-walk.ts';

interface EventPanelProps {
  readonly eventId: string;
  readonly walk: Walk;
  readonly onClose: () => void;
  readonly onAdd: (condition: Condition) => void;
}

export function EventPanel({ eventId, walk, onClose, onAdd }: EventPanelProps) {
  const names = { zone_id: useZoneId(), event_id: eventId };
  const explained = useQuery(read('/zones/{zone_id}/security/events/{event_id}/explain', names));
  const [excepted, setExcepted] = useState<string>();
  const isExcepting = excepted === eventId;
  return (
    <EventFrame title={isExcepting ? 'Make an exception' : 'Event'} walk={walk} onClose={onClose}>
      <Resource of={explained} rows={6}>
        {(known) => (
          <div className="stack">
            <EventHead explained={known} />
            {isExcepting ? (
              <ExceptionForm explained={known} onBack={() => setExcepted(undefined)} />
            ) : (
              <EventBody explained={known} onAdd={onAdd} onExcept={() => setExcepted(eventId)} />
            )}
          </div>
        )}
      </Resource>
    </EventFrame>
  );
}

function EventHead({ explained: { event, sentence } }: { readonly explained: Explained }) {
  return (
    <div className="stack-close">
      <p className="event-sentence wrap">{sentence}</p>
      <p className="row small">
        <ActionPill action={event.action} />
        <span>
          by {describeSource(event.source)}: <strong>{event.description || event.ref || event.ruleId}</strong>
        </span>
        <span className="soft">
          <Time at={event.datetime} />
        </span>
      </p>
    </div>
  );
}

interface EventBodyProps extends Pick<EventPanelProps, 'onAdd'> {
  readonly explained: Explained;
  readonly onExcept: () => void;
}

function EventBody({ explained, onAdd, onExcept }: EventBodyProps) {
  const { event, canBeExcepted } = explained;
  return (
    <>
      <SentRequest explained={explained} />
      <section className="stack-close">
        <h3>Why</h3>
        <ExplanationView explained={explained} />
      </section>
      <Neighbours event={event} />
      <details>
        <summary>All logged fields</summary>
        <FieldTable explained={explained} onAdd={onAdd} />
      </details>
      <div className="event-actions row">
        {canBeExcepted && (
          <Button look="primary" onClick={onExcept}>
            Make an exception…
          </Button>
        )}
        <AddressButtons address={event.clientIP} />
        <CopyButton label="Copy as curl" text={() => copyAsCurl(event)} />
        <CopyButton label="Copy link" text={() => location.href} />
      </div>
    </>
  );
}

function FieldTable({ explained: { event }, onAdd }: Pick<EventBodyProps, 'explained' | 'onAdd'>) {
  const values = event as unknown as Readonly<Record<string, string | number>>;
  const shown = detailFields.filter((field) => values[field] !== undefined && values[field] !== '');
  return (
    <Facts
      isBeside
      facts={[
        ...shown.map(
          (field) =>
            [
              labelOf(field),
              <Value key={field} field={field} value={String(values[field])} onAdd={onAdd} />,
            ] as const,
        ),
        ...event.metadata.map(({ key, value }) => [key, <code key={key}>{value}</code>] as const),
      ]}
    />
  );
}
