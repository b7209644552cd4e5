/** One event: why it happened, what is known of the request, and how to make an exception. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/forms/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ActionPill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from './event-list.tsx';
import { ExceptionForm } from './exception-form.tsx';
import type { Explained } from './explained.ts';
import { ExplanationView } from './explanation.tsx';
import { describeSource, detailFields, labelOf } from './fields.ts';
import type { Condition } from './search.ts';

interface EventDialogProps {
  readonly eventId: string;
  readonly onClose: () => void;
  readonly onAdd: (condition: Condition) => void;
}

export function EventDialog({ eventId, onClose, onAdd }: EventDialogProps) {
  const names = { zone_id: useZoneId(), event_id: eventId };
  const explained = useQuery(read('/zones/{zone_id}/security/events/{event_id}/explain', names));
  const [isExcepting, setIsExcepting] = useState(false);
  return (
    <Dialog title={isExcepting ? 'Make an exception' : 'Event'} onClose={onClose} isWide>
      <Resource of={explained} rows={6}>
        {(known) => (
          <div className="stack">
            <EventHead explained={known} />
            {isExcepting ? (
              <ExceptionForm explained={known} onBack={() => setIsExcepting(false)} />
            ) : (
              <EventBody explained={known} onAdd={onAdd} />
            )}
          </div>
        )}
      </Resource>
      {!isExcepting && (
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          {explained.isSuccess && explained.data.canBeExcepted && (
            <Button look="primary" onClick={() => setIsExcepting(true)}>
              Make an exception…
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function EventHead({ explained: { event } }: { readonly explained: Explained }) {
  const { clientRequestHTTPMethodName: method, clientRequestHTTPHost: host } = event;
  return (
    <div className="stack-close">
      <p className="row">
        <ActionPill action={event.action} />
        <span>
          by {describeSource(event.source)}: <strong>{event.description || event.ref || event.ruleId}</strong>
        </span>
        <span className="soft">
          <Time at={event.datetime} />
        </span>
      </p>
      <p className="mono block">
        {method} {event.clientRequestScheme}://{host}
        {event.clientRequestPath}
        {event.clientRequestQuery}
      </p>
    </div>
  );
}

function EventBody({
  explained,
  onAdd,
}: { readonly explained: Explained } & Pick<EventDialogProps, 'onAdd'>) {
  return (
    <>
      <h3>Why</h3>
      <ExplanationView explained={explained} />
      <details>
        <summary>Everything that was kept</summary>
        <FieldTable explained={explained} onAdd={onAdd} />
      </details>
    </>
  );
}

function FieldTable({ explained: { event }, onAdd }: Parameters<typeof EventBody>[0]) {
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
