/** Restores an object to a point of its history, after its name was typed; the restore can be undone. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/forms/dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { type HistoryPoint, restore, searchFor, type StatefulObject, usePlace } from './object-queries.ts';

interface RestoreProps {
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
}

export function RestoreButton({ object, point }: RestoreProps) {
  const place = usePlace();
  const navigate = useNavigate();
  const name = object.confirm;
  const work = useWrite({
    write: () => restore(place, point.bookmark, name),
    failed: `${name} was not restored`,
    onDone: (undo) => navigate({ to: '/objects', search: searchFor(place, { view: 'history', undo }) }),
  });
  return (
    <ConfirmButton label="Restore…" title={`Restore ${name}?`} action="Restore" typed={name} work={work}>
      {object.zone_name === undefined ? (
        <p>
          Everything that the object has stored, its alarm included, becomes what it was at{' '}
          <Time at={point.time} />, at once. The object is reset.
        </p>
      ) : (
        <p>
          Every rule, filter, setting and certificate of the zone becomes what it was at{' '}
          <Time at={point.time} />, at once. The audit log of the zone goes back as well; that of the account
          keeps a line about this.
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
  const work = useWrite({
    write: () => restore(place, undo, object.confirm),
    done: () => ['The restore is undone', `${name} is what it was before.`],
    failed: 'The restore could not be undone',
    onDone: () => navigate({ to: '/objects', search: searchFor(place, { view: 'history' }) }),
  });
  return (
    <div className="banner" role="status">
      <span>{name} is restored.</span>
      <Button isBusy={work.isPending} onClick={() => work.mutate()}>
        Undo
      </Button>
    </div>
  );
}
