/** One event: why it happened, what is known of the request, and how to make an exception. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ActionPill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from './event-list.tsx';
import { ExceptionForm } from './exception-form.tsx';
import { type Explained, explainQuery } from './explained.ts';
import { ExplanationView } from './explanation.tsx';
import { describeSource, detailFields, labelOf } from './fields.ts';
import type { Condition } from './search.ts';

interface EventDialogProps {
  readonly zoneId: string;
  readonly eventId: string;
  readonly onClose: () => void;
  readonly onAdd: (condition: Condition) => void;
}

export function EventDialog({ zoneId, eventId, onClose, onAdd }: EventDialogProps) {
  const explained = useQuery(explainQuery(zoneId, eventId));
  const [isExcepting, setIsExcepting] = useState(false);
  return (
    <Dialog title={isExcepting ? 'Make an exception' : 'Event'} isOpen onClose={onClose} isWide>
      {explained.isPending ? (
        <Loading rows={6} />
      ) : explained.isError ? (
        <Failed error={explained.error} onRetry={() => void explained.refetch()} />
      ) : (
        <>
          <EventHead explained={explained.data} />
          {isExcepting ? (
            <ExceptionForm zoneId={zoneId} explained={explained.data} onBack={() => setIsExcepting(false)} />
          ) : (
            <EventBody explained={explained.data} onAdd={onAdd} />
          )}
        </>
      )}
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
    <div className="activity-event-head">
      <p className="row">
        <ActionPill action={event.action} />
        <span>
          by {describeSource(event.source)}: <strong>{event.description || event.ref || event.ruleId}</strong>
        </span>
        <span className="soft">
          <Time at={event.datetime} />
        </span>
      </p>
      <p className="mono activity-line">
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
      <details className="activity-details">
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
    <dl className="activity-fields">
      {shown.map((field) => (
        <div key={field}>
          <dt>{labelOf(field)}</dt>
          <dd className="mono">
            <Value field={field} value={String(values[field])} onAdd={onAdd} />
          </dd>
        </div>
      ))}
      {event.metadata.map(({ key, value }) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd className="mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
