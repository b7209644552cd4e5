/** URI-based overrides: other modes of rules and groups on some URLs. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { actions, Table, TableHead } from '../../../parts/table.tsx';
import { useChange } from '../changes.ts';
import { deleteOverride, type LegacyPackage, overridesQuery, type UriOverride } from './legacy-api.ts';
import { OverrideDialog } from './override-dialog.tsx';

interface OverridesProps {
  readonly zone: Zone;
  readonly packages: readonly LegacyPackage[];
}

export function Overrides({ zone, packages }: OverridesProps) {
  if (zone.plan.legacy_id !== 'enterprise') {
    return (
      <Card title="URI-based overrides">
        <p className="soft">
          Other modes on single URLs need the Enterprise plan. To except pages from all managed rules, use a
          page rule; to except requests, a firewall rule with the action bypass.
        </p>
      </Card>
    );
  }
  return <OverrideCard zone={zone} packages={packages} />;
}

/** `new`, or the one that is edited. */
type Edited = UriOverride | 'new' | undefined;

function OverrideCard({ zone, packages }: OverridesProps) {
  const overrides = useQuery(overridesQuery(zone.id));
  const [edited, setEdited] = useState<Edited>();
  return (
    <Card
      title="URI-based overrides"
      actions={<Button onClick={() => setEdited('new')}>Create override</Button>}
    >
      {overrides.isPending ? (
        <Loading rows={2} />
      ) : overrides.isLoadingError ? (
        <Failed error={overrides.error} onRetry={() => void overrides.refetch()} />
      ) : overrides.data.length === 0 ? (
        <Empty title="No URL has rules of its own">
          <p>
            Create an override to change the mode of rules or groups on some URLs only. A site with overrides
            cannot be updated to managed rulesets: a firewall rule with the action bypass can be carried over.
          </p>
        </Empty>
      ) : (
        <OverrideTable zoneId={zone.id} overrides={overrides.data} onEdit={setEdited} />
      )}
      {edited !== undefined && (
        <OverrideDialog
          zone={zone}
          packages={packages}
          override={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Card>
  );
}

interface OverrideTableProps {
  readonly zoneId: string;
  readonly overrides: readonly UriOverride[];
  readonly onEdit: (override: UriOverride) => void;
}

function OverrideTable({ zoneId, overrides, onEdit }: OverrideTableProps) {
  const [deleted, setDeleted] = useState<UriOverride>();
  const change = useChange({
    zoneId,
    change: (override: UriOverride) => deleteOverride(zoneId, override),
    done: 'Deleted the override',
    failed: 'The override could not be deleted',
    onDone: () => setDeleted(undefined),
  });
  return (
    <>
      <Table label="Overrides">
        <TableHead columns={['URLs', 'Changes', 'Priority', actions]} />
        <tbody>
          {overrides.map((override) => (
            <OverrideRow key={override.id} override={override} onEdit={onEdit} onDelete={setDeleted} />
          ))}
        </tbody>
      </Table>
      <Confirm
        title="Delete this override?"
        isOpen={deleted !== undefined}
        onClose={() => setDeleted(undefined)}
        onConfirm={() => deleted !== undefined && change.mutate(deleted)}
        action="Delete"
        isBusy={change.isPending}
      >
        <p>The rules and groups of the site then apply to these URLs, too:</p>
        <ul>
          {deleted?.urls.map((url) => (
            <li key={url}>
              <code>{url}</code>
            </li>
          ))}
        </ul>
      </Confirm>
    </>
  );
}

interface OverrideRowProps {
  readonly override: UriOverride;
  readonly onEdit: (override: UriOverride) => void;
  readonly onDelete: (override: UriOverride) => void;
}

function OverrideRow({ override, onEdit, onDelete }: OverrideRowProps) {
  const name = override.description ?? override.urls[0];
  return (
    <tr>
      <td>
        {override.urls.map((url) => (
          <p key={url} className="managed-rules-url">
            <code>{url}</code>
          </p>
        ))}
        {override.description !== null && <p className="soft">{override.description}</p>}
      </td>
      <td>
        {describeChanges(override)} {override.paused && <Pill tone="warn">paused</Pill>}
      </td>
      <td className="number">{override.priority}</td>
      <td>
        <div className="managed-rules-buttons">
          <Button look="quiet" onClick={() => onEdit(override)} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button look="quiet" onClick={() => onDelete(override)} aria-label={`Delete ${name}`}>
            Delete
          </Button>
        </div>
      </td>
    </tr>
  );
}

function describeChanges({ groups, rules, rewrite_action }: UriOverride): string {
  const parts = [
    countOf(Object.keys(groups).length, 'group'),
    countOf(Object.keys(rules).length, 'rule'),
    countOf(Object.keys(rewrite_action).length, 'action'),
  ].filter((part) => part !== undefined);
  return parts.join(', ');
}

function countOf(count: number, noun: string): string | undefined {
  return count === 0 ? undefined : `${count} ${noun}${count === 1 ? '' : 's'}`;
}
