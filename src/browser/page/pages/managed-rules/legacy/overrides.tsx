/** URI-based overrides: other modes of rules and groups on some URLs. */
import { useQuery } from '@tanstack/react-query';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Card } from '../../../parts/card.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { DialogButton } from '../../../parts/forms/dialog.tsx';
import { ConfirmButton } from '../../../parts/forms/write-button.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/reading/states.tsx';
import { TableCard } from '../../../parts/table-card.tsx';
import { deleteOverride, type LegacyPackage, overridesQuery, type UriOverride } from './legacy-api.ts';
import { OverrideDialog } from './override-dialog.tsx';

interface OverridesProps {
  readonly packages: readonly LegacyPackage[];
}

export function Overrides({ packages }: OverridesProps) {
  if (useZone().plan.legacy_id === 'enterprise') return <OverrideCard packages={packages} />;
  return (
    <Card title="URI-based overrides">
      <p className="soft">
        Other modes on single URLs need the Enterprise plan. To except pages from all managed rules, use a
        page rule; to except requests, a firewall rule with the action bypass.
      </p>
    </Card>
  );
}

const columns: readonly Column<UriOverride>[] = [
  {
    title: 'URLs',
    cell: ({ urls, description }) => (
      <>
        {urls.map((url) => (
          <p key={url} className="mono wrap">
            {url}
          </p>
        ))}
        {description !== null && <p className="soft">{description}</p>}
      </>
    ),
  },
  {
    title: 'Changes',
    cell: (override) => (
      <>
        {describeChanges(override)} {override.paused && <Pill tone="warn">paused</Pill>}
      </>
    ),
  },
  { title: 'Priority', kind: 'number', cell: ({ priority }) => priority },
];

function OverrideCard({ packages }: OverridesProps) {
  return (
    <TableCard
      title="URI-based overrides"
      label="Overrides"
      of={useQuery(overridesQuery(useZoneId()))}
      rows={2}
      empty={<None />}
      actions={
        <DialogButton label="Create override">
          {(close) => <OverrideDialog packages={packages} onClose={close} />}
        </DialogButton>
      }
      columns={[
        ...columns,
        {
          title: 'Actions',
          kind: 'actions',
          cell: (override) => <Actions {...{ packages, override }} />,
        },
      ]}
    />
  );
}

function Actions({ packages, override }: OverridesProps & { readonly override: UriOverride }) {
  const zoneId = useZoneId();
  const name = override.description ?? override.urls[0]!;
  return (
    <>
      <DialogButton label="Edit" look="quiet" aria-label={`Edit ${name}`}>
        {(close) => <OverrideDialog {...{ packages, override }} onClose={close} />}
      </DialogButton>
      <ConfirmButton
        label="Delete"
        look="quiet"
        aria-label={`Delete ${name}`}
        title="Delete this override?"
        action="Delete"
        write={() => deleteOverride(zoneId, override)}
        done="Deleted the override"
        failed="The override could not be deleted"
      >
        <p>The rules and groups of the site then apply to these URLs, too:</p>
        <pre className="block">{override.urls.join('\n')}</pre>
      </ConfirmButton>
    </>
  );
}

function describeChanges({ groups, rules, rewrite_action }: UriOverride): string {
  return Object.entries({ group: groups, rule: rules, action: rewrite_action })
    .map(([noun, changes]) => [noun, Object.keys(changes).length] as const)
    .filter(([, count]) => count > 0)
    .map(([noun, count]) => `${count} ${noun}${count === 1 ? '' : 's'}`)
    .join(', ');
}

function None() {
  const { name } = useZone();
  return (
    <Empty
      title="No URL has rules of its own"
      command={`gatehouse waf create-override ${name} --urls '${name}/upload*' --rules '{"RULE":"disable"}'`}
    >
      Create an override to change the mode of rules or groups on some URLs only. A site with overrides cannot
      be updated to managed rulesets: a firewall rule with the action bypass can be carried over.
    </Empty>
  );
}
