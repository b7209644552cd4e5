/** The groups of a package, each with its switch. */
import { useChange } from '../changes.ts';
import { Switch } from '../switch.tsx';
import { editGroup, type LegacyGroup } from './legacy-api.ts';

interface GroupListProps {
  readonly zoneId: string;
  readonly groups: readonly LegacyGroup[];
}

export function GroupList({ zoneId, groups }: GroupListProps) {
  return (
    <section>
      <h3>Groups</h3>
      <ul className="managed-rules-groups">
        {groups.map((group) => (
          <GroupRow key={group.id} zoneId={zoneId} group={group} />
        ))}
      </ul>
    </section>
  );
}

function GroupRow({ zoneId, group }: { readonly zoneId: string; readonly group: LegacyGroup }) {
  const change = useChange({
    zoneId,
    change: (mode: LegacyGroup['mode']) => editGroup(zoneId, group, mode),
    done: `Saved the group ${group.name}`,
    failed: `The group ${group.name} could not be switched`,
  });
  const mode = change.isPending ? change.variables : group.mode;
  return (
    <li className="managed-rules-group">
      <div>
        <p className="managed-rules-name">{group.name}</p>
        <p className="soft">
          {group.description} {group.rules_count} {group.rules_count === 1 ? 'rule' : 'rules'}
          {group.modified_rules_count > 0 && `, ${group.modified_rules_count} changed`}
        </p>
      </div>
      <Switch
        label={group.name}
        isOn={mode === 'on'}
        onChange={(isOn) => change.mutate(isOn ? 'on' : 'off')}
      />
    </li>
  );
}
