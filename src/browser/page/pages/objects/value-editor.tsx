/** Changes, adds and deletes a value. Typed input is kept when saving fails, also after a concurrent change. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#client';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { SaveForm } from '../../parts/forms/save-form.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { objectPath, usePlace, type WholeValue } from './object-queries.ts';

interface EditProps {
  /** Names the object, as a confirmation. */
  readonly confirm: string;
  readonly onClose: () => void;
}

const path = `${objectPath}/value` as const;
/** The value was changed since it was read, or exists although it was expected to be new. */
const changedCode = 11310;

export function ValueActions({ confirm, valueKey }: { readonly confirm: string; readonly valueKey: string }) {
  return (
    <>
      <DialogButton label="Edit" size="small">
        {(close) => (
          <Dialog title={`Edit ${valueKey}`} onClose={close} isWide>
            <EditLoaded {...{ confirm, valueKey }} onClose={close} />
          </Dialog>
        )}
      </DialogButton>
      <DeleteValue {...{ confirm, valueKey }} />
    </>
  );
}

function EditLoaded({ confirm, valueKey, onClose }: EditProps & { readonly valueKey: string }) {
  const value = useQuery({
    ...read(path, { ...usePlace(), query: { key: valueKey } }),
    // The current stored value must be edited.
    staleTime: 0,
    gcTime: 0,
  });
  return (
    <Resource of={value} rows={4}>
      {(saved) =>
        saved.json === undefined ? (
          <NotEditable value={saved} onClose={onClose} />
        ) : (
          <ValueForm {...{ confirm, onClose, saved, valueKey }} />
        )
      }
    </Resource>
  );
}

function NotEditable({ value, onClose }: { readonly value: WholeValue; readonly onClose: () => void }) {
  return (
    <>
      <p>
        This value ({value.type}, {value.bytes.toLocaleString()} bytes) cannot be edited here: it is larger
        than 64 KB, or JSON cannot represent it exactly. It can be deleted, or written by the code of the
        object.
      </p>
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </>
  );
}

interface ValueFormProps extends EditProps {
  /** Undefined: the user types it, too. */
  readonly valueKey?: string;
  readonly saved?: WholeValue;
}

function ValueForm({ confirm, valueKey, saved, onClose }: ValueFormProps) {
  const place = usePlace();
  const [key, setKey] = useState(valueKey ?? '');
  return (
    <SaveForm
      action="Save"
      saved={saved}
      toFields={(value) => ({ json: value?.json ?? 'null' })}
      read={saved && (() => client.get(path, { ...place, query: { key } }))}
      pick={({ version }) => version}
      what="the value"
      write={async ({ json }, base) => {
        const body = { key, value: json, version: base?.version ?? 'none', confirm };
        return client.put(path, { ...place, body }).catch((error: unknown) => {
          if (base !== undefined || !(error instanceof ApiError && error.has(changedCode))) throw error;
          throw new Error('A value with this key already exists. Edit that one, or choose another key.');
        });
      }}
      done={() => ['The value is stored', 'The object was reset, so its code sees it.']}
      onDone={onClose}
      describe={({ shown }) => `The current value is ${shown.slice(0, 1_000)}`}
      isIncomplete={() => key === ''}
      onCancel={onClose}
    >
      {(bind) => (
        <>
          {valueKey === undefined && <TextField label="Key" value={key} onChange={setKey} />}
          <TextField
            label="Value as JSON"
            hint='Types that JSON lacks are objects with one name: {"$date": "2026-01-31T12:00:00Z"}, {"$bigint": "5"}, {"$map": [["key", 1]]}, {"$set": [1]}, {"$bytes": "AAE="}, {"$undefined": true}.'
            rows={10}
            isCode
            {...bind('json')}
          />
        </>
      )}
    </SaveForm>
  );
}

export function AddValue({ confirm }: { readonly confirm: string }) {
  return (
    <DialogButton label="Add a value…">
      {(close) => (
        <Dialog title="Add a value" onClose={close} isWide>
          <ValueForm confirm={confirm} onClose={close} />
        </Dialog>
      )}
    </DialogButton>
  );
}

function DeleteValue({ confirm, valueKey: key }: { readonly confirm: string; readonly valueKey: string }) {
  const place = usePlace();
  const queries = useQueryClient();
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      title={`Delete ${key}?`}
      action="Delete"
      write={async () => {
        // The version that the reader sees in the dialog.
        const { version } = await queries.ensureQueryData(read(path, { ...place, query: { key } }));
        return client.delete(path, { ...place, query: { key, version, confirm } });
      }}
      done="The value is deleted"
      failed="The value was not deleted"
    >
      <StoredValue valueKey={key} />
    </ConfirmButton>
  );
}

function StoredValue({ valueKey }: { readonly valueKey: string }) {
  const value = useQuery(read(path, { ...usePlace(), query: { key: valueKey } }));
  return (
    <Resource of={value} rows={1}>
      {({ shown }) => <pre className="block">{shown.slice(0, 500)}</pre>}
    </Resource>
  );
}
