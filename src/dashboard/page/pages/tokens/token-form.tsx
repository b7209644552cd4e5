/** Creating a token: what it may do, on which sites, until when, and from where. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { callApi } from '../../api/client.ts';
import { describeError } from '../../api/api-error.ts';
import { userQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { PermissionPicker } from './permission-picker.tsx';
import {
  type Draft,
  getSubjectKey,
  getTokensPath,
  listSubjects,
  type Owner,
  permissionGroupsQuery,
  type Subject,
  writePolicies,
  writeToken,
} from './token.ts';
import { ZonePicker } from './zone-picker.tsx';

const emptyDraft: Draft = {
  name: '',
  owner: 'user',
  levels: {},
  zoneIds: [],
  isEveryZone: true,
  expiresOn: '',
  allowed: '',
  refused: '',
};

interface FormProps {
  readonly accountId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreate: (token: { readonly name: string; readonly value: string }) => void;
}

export function TokenForm({ accountId, isOpen, onClose, onCreate }: FormProps) {
  const groups = useQuery({ ...permissionGroupsQuery, enabled: isOpen });
  return (
    <Dialog title="Create a token" isOpen={isOpen} onClose={onClose} isWide>
      {groups.isPending ? (
        <Loading rows={6} />
      ) : groups.isError ? (
        <Failed error={groups.error} onRetry={() => void groups.refetch()} />
      ) : (
        <Content
          subjects={listSubjects(groups.data)}
          accountId={accountId}
          onClose={onClose}
          onCreate={onCreate}
        />
      )}
    </Dialog>
  );
}

type ContentProps = Omit<FormProps, 'isOpen'> & { readonly subjects: readonly Subject[] };

function Content({ subjects, accountId, onClose, onCreate }: ContentProps) {
  const [draft, setDraft] = useState(emptyDraft);
  const change = (part: Partial<Draft>): void => setDraft((current) => ({ ...current, ...part }));
  const creation = useCreation(draft, subjects, accountId, onCreate);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    creation.mutate();
  };
  const hasPermission = Object.values(draft.levels).some((level) => level !== 'none');
  const hasZone = draft.isEveryZone || draft.zoneIds.length > 0;
  return (
    <form className="stack" onSubmit={submit}>
      <NameAndOwner draft={draft} onChange={change} />
      <ReadEverything subjects={subjects} onChange={(levels) => change({ levels })} />
      <PermissionPicker subjects={subjects} levels={draft.levels} onChange={(levels) => change({ levels })} />
      <ZonePicker draft={draft} onChange={change} />
      <Conditions draft={draft} onChange={change} />
      {creation.isError && (
        <p className="form-error" role="alert">
          The token was not created. {describeError(creation.error)}
        </p>
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={creation.isPending}
          disabled={draft.name.trim() === '' || !hasPermission || !hasZone}
        >
          Create token
        </Button>
      </div>
    </form>
  );
}

function useCreation(
  draft: Draft,
  subjects: readonly Subject[],
  accountId: string,
  onCreate: FormProps['onCreate'],
) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      const user = await queries.ensureQueryData(userQuery);
      const policies = writePolicies(draft, subjects, { accountId, userId: user.id });
      const body = writeToken(draft, policies);
      const { result } = await callApi<{ readonly name: string; readonly value: string }>(
        'POST',
        getTokensPath(draft.owner, accountId),
        { body },
      );
      return result;
    },
    onSuccess(created) {
      onCreate(created);
      void queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}

export interface DraftProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

function NameAndOwner({ draft, onChange }: DraftProps) {
  return (
    <div className="tokens-pair">
      <Field label="Name" hint="What it is for: “deploy script”, “Terraform of the shop”.">
        <TextInput
          value={draft.name}
          maxLength={120}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Field>
      <Field label="Belongs to" hint="A token of the account stays when a person leaves.">
        <Select value={draft.owner} onChange={(event) => onChange({ owner: event.target.value as Owner })}>
          <option value="user">you</option>
          <option value="account">the account</option>
        </Select>
      </Field>
    </div>
  );
}

interface ReadProps {
  readonly subjects: readonly Subject[];
  readonly onChange: (levels: Draft['levels']) => void;
}

function ReadEverything({ subjects, onChange }: ReadProps) {
  const readable = subjects.filter(({ read }) => read !== undefined);
  const levels = Object.fromEntries(readable.map((subject) => [getSubjectKey(subject), 'read'] as const));
  return (
    <div className="row">
      <h3>Permissions</h3>
      <Button className="button-small" onClick={() => onChange(levels)}>
        Read everything
      </Button>
      <Button className="button-small" onClick={() => onChange({})}>
        Clear
      </Button>
    </div>
  );
}

function Conditions({ draft, onChange }: DraftProps) {
  return (
    <div className="tokens-triple">
      <Field label="Expires" hint="In your time zone. Empty: never.">
        <TextInput
          type="datetime-local"
          value={draft.expiresOn}
          onChange={(event) => onChange({ expiresOn: event.target.value })}
        />
      </Field>
      <Field label="Only from" hint="Addresses or ranges. Empty: from anywhere.">
        <TextInput
          value={draft.allowed}
          placeholder="192.0.2.0/24"
          autoComplete="off"
          onChange={(event) => onChange({ allowed: event.target.value })}
        />
      </Field>
      <Field label="Never from" hint="Addresses or ranges.">
        <TextInput
          value={draft.refused}
          autoComplete="off"
          onChange={(event) => onChange({ refused: event.target.value })}
        />
      </Field>
    </div>
  );
}
