/** The source from which a list is updated automatically, and the age of its items. */
import { useQuery } from '@tanstack/react-query';
import { client, lookUp } from '../../api/client.ts';
import { keyOf } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import type { ListNames } from './list.ts';

const path = '/accounts/{account_id}/rules/lists/{list_id}/source';
const kinds = { url: 'a URL: lines, CSV or JSON', crowdsec: 'the CrowdSec local API' } as const;

interface SourceProps {
  readonly names: ListNames;
}

export function SourceCard({ names }: SourceProps) {
  const source = useQuery({
    queryKey: keyOf(path, names),
    // A list without a source is normal.
    queryFn: async ({ signal }) => (await lookUp(client.get(path, { ...names, signal }))).result ?? null,
  });
  return (
    <Card
      title="Source"
      actions={
        <DialogButton label="Set source">
          {(close) => <SourceForm names={names} onClose={close} />}
        </DialogButton>
      }
    >
      <Resource of={source} rows={1}>
        {(shown) =>
          shown === null ? (
            <p className="soft">Items are added by hand.</p>
          ) : (
            <>
              <p>
                From <code>{shown.url}</code>, every {shown.interval_seconds} s.{' '}
                {shown.fetched_on === null ? (
                  'Not read yet.'
                ) : (
                  <>
                    Last read: <Time at={shown.fetched_on} />.
                  </>
                )}
              </p>
              {shown.problem !== null && (
                <p role="status">
                  The list was not updated, because the source cannot be read: {shown.problem}
                </p>
              )}
              <Removal names={names} />
            </>
          )
        }
      </Resource>
    </Card>
  );
}

function Removal({ names }: SourceProps) {
  return (
    <ConfirmButton
      label="Remove source"
      title="Remove this source?"
      action="Remove"
      write={() => client.delete(path, names)}
      done="The source is removed"
      failed="The source was not removed"
    >
      <p>The items stay, but are no longer updated.</p>
    </ConfirmButton>
  );
}

function SourceForm({ names, onClose }: SourceProps & { readonly onClose: () => void }) {
  return (
    <WriteDialog
      title="Set the source of the list"
      action="Save source"
      initial={{ kind: 'url' as keyof typeof kinds, url: '', key: '' }}
      write={({ key, ...body }) =>
        client.put(path, { ...names, body: { ...body, ...(key === '' ? {} : { key }) } })
      }
      done="The source is saved"
      isIncomplete={({ url }) => url === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <SelectField label="From" options={kinds} {...bind('kind')} />
          <TextField label="Address" isCode {...bind('url')} />
          <TextField
            label="Key"
            hint="A CrowdSec bouncer key, or a bearer token. It is not shown again."
            type="password"
            {...bind('key')}
          />
          <p>Replaces the current items of the list.</p>
        </>
      )}
    </WriteDialog>
  );
}
