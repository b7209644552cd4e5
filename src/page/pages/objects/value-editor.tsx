/** Changes, adds and deletes a value. What was typed stays when saving fails, also because of somebody else's change. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';
import { deleteValue, type Place, putValue, valueQuery, type WholeValue } from './object-queries.ts';

interface EditProps {
  readonly place: Place;
  readonly confirm: string;
}

/** The value was changed since it was read. */
const changedCode = 11310;

export function ValueActions({ place, confirm, valueKey }: EditProps & { readonly valueKey: string }) {
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = (): void => setOpen(undefined);
  return (
    <span className="row objects-value-actions">
      <Button onClick={() => setOpen('edit')}>Edit</Button>
      <Button look="danger" onClick={() => setOpen('delete')}>
        Delete
      </Button>
      <Dialog title={`Edit ${valueKey}`} isOpen={open === 'edit'} onClose={close} isWide>
        {open === 'edit' && <EditLoaded {...{ place, confirm, valueKey }} onClose={close} />}
      </Dialog>
      {open === 'delete' && <DeleteDialog {...{ place, confirm, valueKey }} onClose={close} />}
    </span>
  );
}

interface OpenProps extends EditProps {
  readonly valueKey: string;
  readonly onClose: () => void;
}

function EditLoaded({ place, confirm, valueKey, onClose }: OpenProps) {
  const value = useQuery({ ...valueQuery(place, valueKey), refetchOnWindowFocus: false });
  if (value.isPending) return <Loading rows={4} />;
  if (value.isError) return <Failed error={value.error} onRetry={() => void value.refetch()} />;
  if (value.data.json === undefined) return <NotEditable value={value.data} onClose={onClose} />;
  return (
    <ValueForm
      {...{ place, confirm, onClose }}
      valueKey={valueKey}
      initial={value.data.json}
      version={value.data.version}
      onReload={async () => (await value.refetch()).data}
    />
  );
}

function NotEditable({ value, onClose }: { readonly value: WholeValue; readonly onClose: () => void }) {
  return (
    <>
      <div className="dialog-body">
        <p>
          This value ({value.type}, {value.bytes.toLocaleString()} bytes) cannot be edited here: it is larger
          than 64 KB, or JSON cannot say it exactly. It can be deleted, or written by the code of the object.
        </p>
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

interface FormProps extends EditProps {
  /** Undefined: it is typed, too. */
  readonly valueKey: string | undefined;
  readonly initial: string;
  readonly version: string;
  readonly onClose: () => void;
  readonly onReload?: () => Promise<WholeValue | undefined>;
}

function ValueForm({ place, confirm, valueKey, initial, version, onClose, onReload }: FormProps) {
  const [key, setKey] = useState(valueKey ?? '');
  const [text, setText] = useState(initial);
  const [known, setKnown] = useState(version);
  const [stored, setStored] = useState<string>();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: () => putValue(place, { key, value: text, version: known, confirm }),
    async onSuccess() {
      onClose();
      tell('The value is stored', 'The object was reset, so its code sees it.');
      await queries.invalidateQueries({ queryKey: ['objects'] });
    },
  });
  const isConflict = save.error instanceof ApiError && save.error.has(changedCode);
  const look = async (): Promise<void> => {
    const newer = await onReload?.();
    if (newer === undefined) return;
    setKnown(newer.version);
    setStored(newer.shown);
    save.reset();
  };
  return (
    <>
      <div className="dialog-body stack">
        {valueKey === undefined && (
          <Field label="Key">
            <TextInput
              value={key}
              autoComplete="off"
              onChange={(event) => setKey(event.currentTarget.value)}
            />
          </Field>
        )}
        <Field
          label="Value as JSON"
          hint='What JSON lacks is an object with one name: {"$date": "2026-01-31T12:00:00Z"}, {"$bigint": "5"}, {"$map": [["key", 1]]}, {"$set": [1]}, {"$bytes": "AAE="}, {"$undefined": true}.'
          error={save.isError && !isConflict ? describeError(save.error) : undefined}
        >
          <TextInput
            render={
              <textarea
                rows={10}
                spellCheck={false}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
              />
            }
            className="input mono"
          />
        </Field>
        {isConflict && <Conflict isNew={valueKey === undefined} onLook={onReload && (() => void look())} />}
        {stored !== undefined && (
          <p className="soft">
            The value of now is <span className="mono">{stored.slice(0, 1_000)}</span>. Saving replaces it.
          </p>
        )}
      </div>
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={save.isPending} disabled={key === ''} onClick={() => save.mutate()}>
          Save
        </Button>
      </div>
    </>
  );
}

interface ConflictProps {
  readonly isNew: boolean;
  readonly onLook: (() => void) | undefined;
}

function Conflict({ isNew, onLook }: ConflictProps) {
  return (
    <div className="objects-moment" role="alert">
      <span>
        {isNew
          ? 'There is a value with this key already. Edit that one, or choose another key.'
          : 'The value was changed meanwhile, and nothing was written. What you typed is still here.'}
      </span>
      {onLook !== undefined && <Button onClick={onLook}>Show the value of now</Button>}
    </div>
  );
}

export function AddValue({ place, confirm }: EditProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Add a value…</Button>
      <Dialog title="Add a value" isOpen={isOpen} onClose={close} isWide>
        {isOpen && (
          <ValueForm
            {...{ place, confirm }}
            valueKey={undefined}
            initial="null"
            version="none"
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
}

function DeleteDialog({ place, confirm, valueKey, onClose }: OpenProps) {
  const queries = useQueryClient();
  const value = useQuery(valueQuery(place, valueKey));
  const work = useMutation({
    mutationFn: (version: string) => deleteValue(place, { key: valueKey, version, confirm }),
    async onSuccess() {
      onClose();
      tell('The value is deleted');
      await queries.invalidateQueries({ queryKey: ['objects'] });
    },
  });
  return (
    <Confirm
      title={`Delete ${valueKey}?`}
      action="Delete"
      isOpen
      onClose={onClose}
      onConfirm={() => work.mutate(value.data?.version ?? '')}
      isBusy={work.isPending || value.isPending}
    >
      {value.isError ? (
        <Failed error={value.error} />
      ) : (
        <p className="mono objects-text">{value.data?.shown.slice(0, 500) ?? ' '}</p>
      )}
      {work.isError && (
        <p className="form-error" role="alert">
          {describeError(work.error)}
        </p>
      )}
    </Confirm>
  );
}
