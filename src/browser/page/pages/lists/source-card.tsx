/** The source from which a list is updated automatically, and the age of its items. */
import { useQuery } from '@tanstack/react-query';
import { client, lookUp } from '../../api/client.ts';
import { keyOf } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Resource } from '../../parts/reading/resource.tsx';
import { Time } from '../../parts/time.tsx';
import type { ListNames } from './list.ts';

const path = '/accounts/{account_id}/rules/lists/{list_id}/source';
const kinds = { url: 'a URL: lines, CSV or JSON', crowdsec: 'the local API of CrowdSec' } as const;

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
      title="Where its items come from"
      actions={
        <DialogButton label="Fill from elsewhere">
          {(close) => <SourceForm names={names} onClose={close} />}
        </DialogButton>
      }
    >
      <Resource of={source} rows={1}>
        {(shown) =>
          shown === null ? (
            <p className="soft">They are added by hand.</p>
          ) : (
            <>
              <p>
                From <code>{shown.url}</code>, every {shown.interval_seconds} s.{' '}
                {shown.fetched_on === null ? (
                  'It was not read yet.'
                ) : (
                  <>
                    Read last: <Time at={shown.fetched_on} />.
                  </>
                )}
              </p>
              {shown.problem !== null && (
                <p role="status">The list is as it was, because the source cannot be used: {shown.problem}</p>
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
  const removal = useWrite({
    write: () => client.delete(path, names),
    done: 'The list stays as it is',
    failed: 'The source was not removed',
  });
  return (
    <ConfirmButton label="Remove source" title="Remove this source?" action="Remove" work={removal}>
      <p>The items stay, and nobody replaces them any more.</p>
    </ConfirmButton>
  );
}

function SourceForm({ names, onClose }: SourceProps & { readonly onClose: () => void }) {
  const { value, bind } = useDraft(undefined, {
    read: () => ({ kind: 'url' as keyof typeof kinds, url: '', key: '' }),
  });
  const { kind, url, key } = value;
  const saving = useWrite({
    write: () => client.put(path, { ...names, body: { kind, url, ...(key === '' ? {} : { key }) } }),
    done: 'The list fills itself',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Fill the list from elsewhere"
      action="Save source"
      work={saving}
      isIncomplete={url === ''}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <SelectField label="From" options={kinds} {...bind('kind')} />
      <TextField label="Address" isCode {...bind('url')} />
      <TextField
        label="Key"
        hint="Of a bouncer of CrowdSec, or a bearer token. It is not shown again."
        type="password"
        {...bind('key')}
      />
      <p>The items that the list has are replaced.</p>
    </FormDialog>
  );
}
