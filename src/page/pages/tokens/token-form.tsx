/** Creating a token or changing one: what it may do, on which sites, until when, and from where. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { userQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { SaveError, saveUnlessChanged } from '../../parts/guarded-save.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { PermissionPicker } from './permission-picker.tsx';
import {
  getSubjectKey,
  getTokensPath,
  listSubjects,
  type Owner,
  permissionGroupsQuery,
  type Subject,
  type Token,
} from './token.ts';
import { type Draft, type DraftProps, readDraft, writePolicies, writeToken } from './token-draft.ts';
import { ZonePicker } from './zone-picker.tsx';

const emptyDraft: Draft = {
  name: '',
  owner: 'user',
  levels: {},
  zoneIds: [],
  isEveryZone: true,
  isEnabled: true,
  notBefore: '',
  expiresOn: '',
  allowed: '',
  refused: '',
};

/** A token that is changed, and whose it is. */
export interface EditedToken {
  readonly token: Token;
  readonly owner: Owner;
}

interface FormProps {
  readonly accountId: string;
  readonly edited: EditedToken | 'new' | undefined;
  readonly onClose: () => void;
  /** Shows the token again as it is now. */
  readonly onReload: () => Promise<void>;
  /** The value is there only if the token is new. */
  readonly onSaved: (token: { readonly name: string; readonly value?: string }) => void;
}

export function TokenForm({ edited, ...others }: FormProps) {
  const isOpen = edited !== undefined;
  const groups = useQuery({ ...permissionGroupsQuery, enabled: isOpen });
  const user = useQuery({ ...userQuery, enabled: isOpen });
  const failed = [groups, user].find(({ isError }) => isError);
  return (
    <Dialog
      title={edited === 'new' ? 'Create a token' : 'Change a token'}
      isOpen={isOpen}
      onClose={others.onClose}
      isWide
    >
      {failed !== undefined ? (
        <Failed error={failed.error} onRetry={() => void failed.refetch()} />
      ) : edited === undefined || groups.data === undefined || user.data === undefined ? (
        <Loading rows={6} />
      ) : (
        <Content
          key={edited === 'new' ? 'new' : JSON.stringify(pickChangeable(edited.token))}
          edited={edited === 'new' ? undefined : edited}
          subjects={listSubjects(groups.data)}
          userId={user.data.id}
          {...others}
        />
      )}
    </Dialog>
  );
}

/** A token that is used while it is looked at is not another one for that. */
function pickChangeable(token: Token): object {
  return { ...token, last_used_on: undefined };
}

interface ContentProps extends Omit<FormProps, 'edited'> {
  readonly edited: EditedToken | undefined;
  readonly subjects: readonly Subject[];
  readonly userId: string;
}

function Content(props: ContentProps) {
  const { edited, subjects, accountId, userId, onClose, onReload } = props;
  const [start] = useState(() =>
    edited === undefined
      ? { draft: emptyDraft, isWhole: true }
      : readDraft(edited.token, { owner: edited.owner, subjects, accountId, userId }),
  );
  const [draft, setDraft] = useState(start.draft);
  const change = (part: Partial<Draft>): void => setDraft((current) => ({ ...current, ...part }));
  const saving = useSave(draft, { ...props, keepsPolicies: !start.isWhole });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate({ isForced: false });
  };
  const hasPermission = Object.values(draft.levels).some((level) => level !== 'none');
  const hasZone = draft.isEveryZone || draft.zoneIds.length > 0;
  const isComplete = draft.name.trim() !== '' && (!start.isWhole || (hasPermission && hasZone));
  return (
    <form className="stack" onSubmit={submit}>
      <NameAndOwner draft={draft} onChange={change} isNew={edited === undefined} />
      {start.isWhole ? (
        <>
          <ReadEverything subjects={subjects} onChange={(levels) => change({ levels })} />
          <PermissionPicker
            subjects={subjects}
            levels={draft.levels}
            onChange={(levels) => change({ levels })}
          />
          <ZonePicker draft={draft} onChange={change} />
        </>
      ) : (
        <p className="note">
          What this token may do was written with the API, in a way that this form cannot show. It stays as it
          is.
        </p>
      )}
      <Conditions draft={draft} onChange={change} />
      {saving.isError && (
        <SaveError
          error={saving.error}
          onLoadTheirs={() => void onReload()}
          onSaveAnyway={() => saving.mutate({ isForced: true })}
        />
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" isBusy={saving.isPending} disabled={!isComplete}>
          {edited === undefined ? 'Create token' : 'Save token'}
        </Button>
      </div>
    </form>
  );
}

type SaveOptions = ContentProps & { readonly keepsPolicies: boolean };

function useSave(draft: Draft, options: SaveOptions) {
  const { edited, subjects, accountId, userId, keepsPolicies, onSaved } = options;
  const queries = useQueryClient();
  const path = getTokensPath(draft.owner, accountId);
  return useMutation({
    async mutationFn({ isForced }: { readonly isForced: boolean }) {
      const policies = keepsPolicies
        ? edited!.token.policies
        : writePolicies(draft, subjects, { accountId, userId });
      const body = writeToken(draft, policies, edited?.token);
      if (edited === undefined) return client.ask<Token>('POST', path, { body });
      const { token: base } = edited;
      const read = () => client.ask<Token>('GET', `${path}/${base.id}`);
      return saveUnlessChanged({ read, base, isForced, pick: pickChangeable }, (version) =>
        client.ask<Token>('PUT', `${path}/${base.id}`, { body, version }),
      );
    },
    onSuccess({ result }) {
      onSaved(result);
      void queries.invalidateQueries({ queryKey: ['tokens'] });
    },
  });
}

function NameAndOwner({ draft, onChange, isNew }: DraftProps & { readonly isNew: boolean }) {
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
      {isNew ? (
        <Field label="Belongs to" hint="A token of the account stays when a person leaves.">
          <Select value={draft.owner} onChange={(event) => onChange({ owner: event.target.value as Owner })}>
            <option value="user">you</option>
            <option value="account">the account</option>
          </Select>
        </Field>
      ) : (
        <Field label="Status" hint="A disabled token is refused until it is enabled; its value stays.">
          <Select
            value={draft.isEnabled ? 'active' : 'disabled'}
            onChange={(event) => onChange({ isEnabled: event.target.value === 'active' })}
          >
            <option value="active">active</option>
            <option value="disabled">disabled</option>
          </Select>
        </Field>
      )}
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
    <div className="tokens-pair">
      <Field label="Valid from" hint="In your time zone. Empty: at once.">
        <TextInput
          type="datetime-local"
          value={draft.notBefore}
          onChange={(event) => onChange({ notBefore: event.target.value })}
        />
      </Field>
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
