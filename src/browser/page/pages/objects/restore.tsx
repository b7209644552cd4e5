/** Restores an object to a point of its history, after its name was typed; the restore can be undone. */
import { useNavigate } from '@tanstack/react-router';
import { ConfirmButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { Time } from '../../parts/time.tsx';
import { type HistoryPoint, restore, searchFor, type StatefulObject, usePlace } from './object-queries.ts';

interface RestoreProps {
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
}

export function RestoreButton({ object, point }: RestoreProps) {
  const place = usePlace();
  const navigate = useNavigate();
  const name = object.confirm;
  return (
    <ConfirmButton
      label="Restore…"
      title={`Restore ${name}?`}
      action="Restore"
      typed={name}
      write={() => restore(place, point.bookmark, name)}
      failed={`${name} was not restored`}
      onDone={(undo) => navigate({ to: '/objects', search: searchFor(place, { view: 'history', undo }) })}
    >
      {object.zone_name === undefined ? (
        <p>
          Restores everything that the object has stored, including its alarm, to its state at{' '}
          <Time at={point.time} />. This takes effect at once and resets the object.
        </p>
      ) : (
        <p>
          Restores every rule, filter, setting and certificate of the zone to its state at{' '}
          <Time at={point.time} />. This takes effect at once. The audit log of the zone is restored, too;
          that of the account records the restore.
        </p>
      )}
    </ConfirmButton>
  );
}

/** Reports that an object was restored, and undoes that. */
export function UndoBar({ object, undo }: { readonly object: StatefulObject; readonly undo: string }) {
  const place = usePlace();
  const navigate = useNavigate();
  const name = object.zone_name ?? object.confirm;
  return (
    <div className="banner" role="status">
      <span>{name} is restored.</span>
      <WriteButton
        write={() => restore(place, undo, object.confirm)}
        done={() => ['The restore is undone', `${name} is back in its previous state.`]}
        failed="The restore could not be undone"
        onDone={() => navigate({ to: '/objects', search: searchFor(place, { view: 'history' }) })}
      >
        Undo
      </WriteButton>
    </div>
  );
}
