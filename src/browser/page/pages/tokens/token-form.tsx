/** Creates or changes a token: its permissions, sites, lifetime, and addresses. */
import { useQuery } from '@tanstack/react-query';
import { useAccountId, userQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { bindTo } from '../../parts/forms/fields.ts';
import { Form } from '../../parts/forms/form.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { together } from '../../parts/reading/together.ts';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import { PermissionPicker } from './permission-picker.tsx';
import {
  callsOf,
  getSubjectKey,
  listSubjects,
  type Owner,
  permissionGroupsQuery,
  type Subject,
  type Token,
} from './token.ts';
import { emptyContent, type PartProps, readDraft, writePolicies, writeToken } from './token-draft.ts';
import { ZonePicker } from './zone-picker.tsx';

interface TokenFormProps {
  /** Undefined: a new one. */
  readonly token: Token | undefined;
  readonly owner: Owner;
  readonly onClose: () => void;
  /** The value is only present if the token is new. */
  readonly onSaved: (token: Pick<Token, 'name' | 'value'>) => void;
}

export function TokenForm(props: TokenFormProps) {
  const known = together({ groups: useQuery(permissionGroupsQuery), user: useQuery(userQuery) });
  return (
    <Dialog
      title={props.token === undefined ? 'Create a token' : 'Change a token'}
      onClose={props.onClose}
      isWide
    >
      <Resource of={known} rows={6}>
        {({ groups, user }) => <Content {...props} subjects={listSubjects(groups)} userId={user.id} />}
      </Resource>
    </Dialog>
  );
}

/** Ignores the last use, because using a token is not a change. */
function pick(token: Token | undefined): object {
  return { ...token, last_used_on: undefined };
}

interface ContentProps extends TokenFormProps {
  readonly subjects: readonly Subject[];
  readonly userId: string;
}

function Content({ token, owner, subjects, userId, onClose, onSaved }: ContentProps) {
  const owners = { accountId: useAccountId(), userId };
  const read = (saved: Token | undefined) =>
    saved === undefined
      ? { draft: emptyContent, isWhole: true }
      : readDraft(saved, { owner, subjects, ...owners });
  const draft = useDraft(token, { read: (saved) => read(saved).draft, pick });
  const { value, change } = draft;
  const { isWhole } = read(draft.base);
  const calls = callsOf(value.owner, owners.accountId);
  const saving = useSave(draft, {
    read: token && (() => calls.get(token.id)),
    pick,
    write(content, base, version) {
      const policies = isWhole ? writePolicies(content, subjects, owners) : base!.policies;
      const body = writeToken(content, policies, base);
      return base === undefined ? calls.create(body) : calls.replace(base.id, body, version);
    },
    onDone: ({ result }) => onSaved(result),
  });
  const hasPermission = Object.values(value.levels).some((level) => level !== 'none');
  const hasZone = value.isEveryZone || value.zoneIds.length > 0;
  return (
    <Form
      action={token === undefined ? 'Create token' : 'Save token'}
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={value.name.trim() === '' || (isWhole && !(hasPermission && hasZone))}
      onSubmit={saving.save}
      onCancel={onClose}
    >
      <NameAndOwner value={value} onChange={change} isNew={token === undefined} />
      {isWhole ? (
        <>
          <ReadEverything subjects={subjects} value={value} onChange={change} />
          <PermissionPicker
            subjects={subjects}
            levels={value.levels}
            onChange={(levels) => change({ levels })}
          />
          <ZonePicker value={value} onChange={change} />
        </>
      ) : (
        <p className="note">
          The permissions of this token were set with the API, in a way that this form cannot show. They do
          not change.
        </p>
      )}
      <Conditions value={value} onChange={change} />
    </Form>
  );
}

function NameAndOwner({ value, onChange, isNew }: PartProps & { readonly isNew: boolean }) {
  const bind = bindTo(value, onChange);
  return (
    <div className="grid">
      <TextField
        label="Name"
        hint="What it is for: “deploy script”, “Terraform of the shop”."
        maxLength={120}
        {...bind('name')}
      />
      {isNew ? (
        <SelectField
          label="Belongs to"
          hint="A token of the account stays when a person leaves."
          options={{ user: 'you', account: 'the account' }}
          {...bind('owner')}
        />
      ) : (
        <SelectField
          label="Status"
          hint="A disabled token is refused until it is enabled; its value stays."
          options={['active', 'disabled']}
          value={value.isEnabled ? 'active' : 'disabled'}
          onChange={(status) => onChange({ isEnabled: status === 'active' })}
        />
      )}
    </div>
  );
}

function ReadEverything({ subjects, onChange }: PartProps & { readonly subjects: readonly Subject[] }) {
  const readable = subjects.filter(({ read }) => read !== undefined);
  const levels = Object.fromEntries(readable.map((subject) => [getSubjectKey(subject), 'read'] as const));
  return (
    <div className="row">
      <h3>Permissions</h3>
      <Button size="small" onClick={() => onChange({ levels })}>
        Read everything
      </Button>
      <Button size="small" onClick={() => onChange({ levels: {} })}>
        Clear
      </Button>
    </div>
  );
}

function Conditions({ value, onChange }: PartProps) {
  const bind = bindTo(value, onChange);
  return (
    <div className="grid">
      <TextField
        label="Valid from"
        hint="In your time zone. Empty: at once."
        type="datetime-local"
        {...bind('notBefore')}
      />
      <TextField
        label="Expires"
        hint="In your time zone. Empty: never."
        type="datetime-local"
        {...bind('expiresOn')}
      />
      <TextField
        label="Only from"
        hint="Addresses or ranges. Empty: from anywhere."
        placeholder="192.0.2.0/24"
        {...bind('allowed')}
      />
      <TextField label="Never from" hint="Addresses or ranges." {...bind('refused')} />
    </div>
  );
}
