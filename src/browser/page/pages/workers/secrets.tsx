/** The names of a Worker's secrets. The values are never shown. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

interface NamesProps {
  readonly names: WorkerNames;
}

export function Secrets({ names }: NamesProps) {
  return (
    <TableCard
      title="Secrets"
      of={useQuery(read(`${scriptPath}/secrets`, names))}
      rows={1}
      actions={
        <DialogButton label="Set secret" size="small">
          {(close) => <SecretForm names={names} onClose={close} />}
        </DialogButton>
      }
      empty={
        <Empty title="No secrets yet" command={`npx wrangler secret put KEY --name ${names.script_name}`}>
          Set one for a value that its code needs and no user may read.
        </Empty>
      }
      keyOf={({ name }) => name}
      columns={[
        { title: 'Name', kind: 'mono', cell: ({ name }) => name },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ name }) => (
            <ConfirmButton
              label="Delete"
              aria-label={`Delete the secret ${name}`}
              title={`Delete the secret ${name}?`}
              action="Delete"
              write={() =>
                client.delete(`${scriptPath}/secrets/{secret_name}`, { ...names, secret_name: name })
              }
              done={`${name} is deleted, by a new version that runs now`}
              failed={`${name} was not deleted`}
            >
              <p>This deploys a new version without it.</p>
            </ConfirmButton>
          ),
        },
      ]}
    />
  );
}

function SecretForm({ names, onClose }: NamesProps & { readonly onClose: () => void }) {
  return (
    <WriteDialog
      title="Set secret"
      action="Set secret"
      initial={{ name: '', text: '' }}
      write={(secret) =>
        client.put(`${scriptPath}/secrets`, { ...names, body: { ...secret, type: 'secret_text' as const } })
      }
      done={(_, { name }) => `${name} is set, by a new version that runs now`}
      isIncomplete={({ name, text }) => name === '' || text === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Name" isCode {...bind('name')} />
          <TextField label="Value" type="password" autoComplete="off" {...bind('text')} />
          <p className="soft">It is encrypted and never shown again. Setting it deploys a new version.</p>
        </>
      )}
    </WriteDialog>
  );
}
