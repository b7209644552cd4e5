/** Rules that ask objects or servers about the visitors of a site. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { client, lookUp } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { keyOf } from '../../api/read.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { DeleteButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { AskingForm, type AskingRule } from './asking-form.tsx';

type StoredRule = AskingRule & { readonly id: string };

const path = '/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint';
const rulePath = '/zones/{zone_id}/rulesets/{ruleset_id}/rules';
const phase = { ruleset_phase: 'gatehouse_ask' };

/** The rules, and their ruleset if there is one yet. */
function askingQuery(zone_id: string) {
  return queryOptions({
    queryKey: [...keyOf(path, { zone_id, ...phase }), 'or-none'],
    async queryFn({ signal }) {
      const { result } = await lookUp(client.get(path, { zone_id, ...phase, signal }));
      const rules = (result?.rules ?? []).map((rule) => ({ ...(rule as StoredRule), rulesetId: result!.id }));
      return { rulesetId: result?.id, rules };
    },
  });
}

type ShownRule = StoredRule & { readonly rulesetId: string };

export function AskingRules() {
  const zone_id = useZoneId();
  const query = askingQuery(zone_id);
  const rulesetId = useQuery(query).data?.rulesetId;
  const rules = useQuery({ ...query, select: (found) => found.rules });
  const create = (body: AskingRule) =>
    rulesetId === undefined
      ? client.put(path, { zone_id, ...phase, body: { rules: [body] } })
      : client.post(rulePath, { zone_id, ruleset_id: rulesetId, body });
  return (
    <TableCard
      title="Rules that ask"
      of={rules}
      empty={<None />}
      actions={
        <DialogButton label="Create rule that asks">
          {(close) => <AskingForm create={create} onClose={close} />}
        </DialogButton>
      }
      columns={[
        { title: 'Requests', kind: 'mono', cell: ({ expression }) => expression },
        { title: 'Asked', cell: describeAsked },
        { title: 'Without an answer', cell: (rule) => rule.action_parameters?.default_action },
        { title: 'Description', cell: ({ description }) => description },
        {
          title: 'Status',
          cell: ({ enabled }) => <StatePill isOn={enabled !== false} words={['active', 'paused']} />,
        },
        { title: 'Actions', kind: 'actions', cell: (rule) => <Actions rule={rule} /> },
      ]}
    />
  );
}

function describeAsked({ action_parameters: parameters }: AskingRule): string {
  const { object, url = '', timeout_ms: timeout = 500 } = parameters ?? {};
  const whom = object === undefined ? url : `${object.class_name} in ${object.worker}`;
  return `${whom}, for ${timeout} ms`;
}

function Actions({ rule }: { readonly rule: ShownRule }) {
  const { id, rulesetId, action, expression, action_parameters, description, ref, enabled = true } = rule;
  const names = { zone_id: useZoneId(), ruleset_id: rulesetId, rule_id: id };
  const title = description ?? expression;
  const failed = 'The rule was not changed';
  const content = {
    ...{ action, expression },
    ...(action_parameters === undefined ? {} : { action_parameters }),
    ...(description === undefined ? {} : { description }),
    ...(ref === undefined ? {} : { ref }),
  };
  const verb = enabled ? 'Pause' : 'Resume';
  return (
    <>
      <WriteButton
        size="small"
        aria-label={`${verb} ${title}`}
        write={() =>
          client.patch(`${rulePath}/{rule_id}`, { ...names, body: { ...content, enabled: !enabled } })
        }
        done={`The rule is ${enabled ? 'paused' : 'active'}`}
        failed={failed}
      >
        {verb}
      </WriteButton>
      <DeleteButton
        what="rule"
        which={title}
        write={() => client.delete(`${rulePath}/{rule_id}`, names)}
        failed={failed}
      >
        <p>From then on, these requests pass unless another rule stops them.</p>
      </DeleteButton>
    </>
  );
}

function None() {
  return (
    <Empty
      title="No rules that ask yet"
      command={`gatehouse rulesets set-entrypoint ${useZone().name} gatehouse_ask --rules '[{"action":"forward_auth","expression":"true","action_parameters":{"url":"https://auth.example/check","default_action":"pass"}}]'`}
    >
      Create a rule to ask one of your objects, or a server that knows who is signed in.
    </Empty>
  );
}
