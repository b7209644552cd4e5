/** The names of a Worker's secrets. The values are never shown. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

interface NamesProps {
  readonly names: WorkerNames;
}

export function Secrets({ names }: NamesProps) {
  return (
    <Card
      title="Secrets"
      actions={
        <DialogButton label="Set secret" size="small">
          {(close) => <SecretForm names={names} onClose={close} />}
        </DialogButton>
      }
    >
      <Resource
        of={useQuery(read(`${scriptPath}/secrets`, names))}
        rows={1}
        empty={
          <Empty title="No secrets yet" command={`npx wrangler secret put KEY --name ${names.script_name}`}>
            Set one for a value that its code needs and no user may read.
          </Empty>
        }
      >
        {(secrets) => (
          <DataTable
            label="Secrets"
            rows={secrets}
            keyOf={({ name }) => name}
            columns={[
              { title: 'Name', kind: 'mono', cell: ({ name }) => name },
              {
                title: 'Actions',
                kind: 'actions',
                cell: ({ name }) => <DeleteSecret names={names} name={name} />,
              },
            ]}
          />
        )}
      </Resource>
    </Card>
  );
}

function SecretForm({ names, onClose }: NamesProps & { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const change = useWrite({
    write: () =>
      client.put(`${scriptPath}/secrets`, { ...names, body: { name, text, type: 'secret_text' as const } }),
    done: `${name} is set, by a new version that runs now`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Set secret"
      action="Set secret"
      work={change}
      isIncomplete={name === '' || text === ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} isCode />
      <TextField label="Value" type="password" autoComplete="off" value={text} onChange={setText} />
      <p className="soft">It is encrypted and never shown again. Setting it deploys a new version.</p>
    </FormDialog>
  );
}

function DeleteSecret({ names, name }: NamesProps & { readonly name: string }) {
  return (
    <ConfirmButton
      label="Delete"
      aria-label={`Delete the secret ${name}`}
      title={`Delete the secret ${name}?`}
      action="Delete"
      write={() => client.delete(`${scriptPath}/secrets/{secret_name}`, { ...names, secret_name: name })}
      done={`${name} is deleted, by a new version that runs now`}
      failed={`${name} was not deleted`}
    >
      <p>This deploys a new version without it.</p>
    </ConfirmButton>
  );
}
