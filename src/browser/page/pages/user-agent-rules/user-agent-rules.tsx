/** User agent rules of a site. */
import { useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { stoppingActions } from '../../api/stopping-actions.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';

type Rule = Result<'userAgentRules.list'>[number];
type Given = Sent<'userAgentRules.create'>;

const path = '/zones/{zone_id}/firewall/ua_rules';
const modes: Readonly<Record<Given['mode'], string>> = stoppingActions;

export function UserAgentRules() {
  return (
    <Card
      title="User agents"
      actions={
        <DialogButton label="Create user agent rule">
          {(close) => <UserAgentForm onClose={close} />}
        </DialogButton>
      }
    >
      <Resource of={useQuery(readAll(path, { zone_id: useZoneId() }))} empty={<None />}>
        {(rules) => (
          <DataTable
            label="User agent rules"
            rows={rules}
            keyOf={({ id }) => id}
            columns={[
              { title: 'User agent', kind: 'mono', cell: ({ configuration }) => configuration.value },
              { title: 'Then', cell: ({ mode }) => modes[mode] },
              { title: 'Description', cell: ({ description }) => description },
              {
                title: 'Status',
                cell: ({ paused }) => (
                  <Pill tone={paused ? 'neutral' : 'good'}>{paused ? 'paused' : 'in force'}</Pill>
                ),
              },
              { title: 'Actions', kind: 'actions', cell: (rule) => <Actions rule={rule} /> },
            ]}
          />
        )}
      </Resource>
    </Card>
  );
}

function Actions({ rule }: { readonly rule: Rule }) {
  const { id, paused, configuration } = rule;
  const names = { zone_id: useZoneId(), ua_rule_id: id };
  const failed = 'The user agent rule was not changed';
  const change = useWrite({
    write: () => client.put(`${path}/{ua_rule_id}`, { ...names, body: { ...rule, paused: !paused } }),
    done: `The user agent rule is ${paused ? 'in force' : 'paused'}`,
    failed,
  });
  const deletion = useWrite({
    write: () => client.delete(`${path}/{ua_rule_id}`, names),
    done: 'The user agent rule is deleted',
    failed,
  });
  const verb = paused ? 'Resume' : 'Pause';
  return (
    <>
      <Button
        size="small"
        aria-label={`${verb} ${configuration.value}`}
        isBusy={change.isPending}
        onClick={() => change.mutate()}
      >
        {verb}
      </Button>
      <ConfirmButton
        label="Delete"
        size="small"
        aria-label={`Delete ${configuration.value}`}
        title="Delete this user agent rule?"
        action="Delete user agent rule"
        work={deletion}
      >
        <p>
          Clients that send <code>{configuration.value}</code> are treated like all others from then on.
        </p>
      </ConfirmButton>
    </>
  );
}

interface Content {
  readonly userAgent: string;
  readonly mode: Given['mode'];
  readonly description: string;
}

const start: Content = { userAgent: '', mode: 'block', description: '' };

function UserAgentForm({ onClose }: { readonly onClose: () => void }) {
  const zone_id = useZoneId();
  const draft = useDraft<Content, undefined>(undefined, { read: () => start });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    write: ({ userAgent, mode, description }) =>
      client.post(path, {
        zone_id,
        body: { mode, configuration: { target: 'ua', value: userAgent.trim() }, description },
      }),
    done: 'The user agent rule is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Create a user agent rule"
      action="Save user agent rule"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={value.userAgent.trim() === ''}
      onSubmit={saving.save}
      onClose={onClose}
    >
      <TextField
        label="User agent"
        hint="The whole header value; * is not a wildcard."
        isCode
        placeholder="BadBot/1.0 (+http://bad.bot)"
        {...bind('userAgent')}
      />
      <SelectField label="Then" options={modes} {...bind('mode')} />
      <TextField label="Description" {...bind('description')} />
    </FormDialog>
  );
}

function None() {
  const body = { mode: 'block', configuration: { target: 'ua', value: 'BadBot/1.0' } };
  return (
    <Empty
      title="No user agent is stopped"
      command={writeCurl(`/zones/${useZoneId()}/firewall/ua_rules`, body)}
    >
      Create a rule to stop a client that identifies itself. To match part of a name, write a firewall rule.
    </Empty>
  );
}
