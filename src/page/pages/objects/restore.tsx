/** Puts an object back to a point of its history, after its name was typed; what was done can be undone. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Time } from '../../parts/time.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { type HistoryPoint, type Place, restore, type StatefulObject } from './object-queries.ts';

interface RestoreProps {
  readonly place: Place;
  readonly object: StatefulObject;
  readonly point: HistoryPoint;
}

export function RestoreButton({ place, object, point }: RestoreProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const name = object.confirm;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const close = (): void => {
    setIsOpen(false);
    setTyped('');
  };
  const work = useMutation({
    mutationFn: () => restore(place, point.bookmark, typed),
    async onSuccess(undo) {
      close();
      await queries.invalidateQueries();
      const search = { class: place.className, object: place.object, view: 'history', undo };
      await navigate({ to: '/objects', search });
    },
  });
  const open = (): void => {
    work.reset();
    setIsOpen(true);
  };
  return (
    <>
      <Button look="danger" onClick={() => open()}>
        Restore…
      </Button>
      <Confirm
        title={`Restore ${name}?`}
        action="Restore"
        isOpen={isOpen}
        onClose={close}
        onConfirm={() => work.mutate()}
        isBusy={work.isPending}
        isDisabled={typed !== name}
      >
        {object.zone_name === undefined ? (
          <p>
            Everything that the object has stored, its alarm included, becomes what it was at{' '}
            <Time at={point.time} />, at once. The object is reset.
          </p>
        ) : (
          <p>
            Every rule, filter, setting and certificate of the zone becomes what it was at{' '}
            <Time at={point.time} />, at once. The audit log of the zone goes back as well; that of the
            account keeps a line about this.
          </p>
        )}
        <Field label={`Type ${name} to confirm`} error={work.isError ? describeError(work.error) : undefined}>
          <TextInput
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Field>
      </Confirm>
    </>
  );
}

interface UndoProps {
  readonly place: Place;
  readonly object: StatefulObject;
  readonly undo: string;
}

/** Says that an object was put back, and takes that back. */
export function UndoBar({ place, object, undo }: UndoProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const work = useMutation({
    mutationFn: () => restore(place, undo, object.confirm),
    async onSuccess() {
      await queries.invalidateQueries();
      tell('The restore is undone', `${object.zone_name ?? object.confirm} is what it was before.`);
      const search = { class: place.className, object: place.object, view: 'history' };
      await navigate({ to: '/objects', search });
    },
    onError: (error) => tellError('The restore could not be undone', error),
  });
  return (
    <div className="objects-moment" role="status">
      <span>{object.zone_name ?? object.confirm} is restored.</span>
      <Button isBusy={work.isPending} onClick={() => work.mutate()}>
        Undo
      </Button>
    </div>
  );
}
