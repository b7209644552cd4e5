/** The groups of a package, each with its switch. */
import { useZoneId } from '../../../api/queries.ts';
import { Switch } from '../../../parts/forms/switch.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { editGroup, type LegacyGroup } from './legacy-api.ts';
import { countThings } from '../../../parts/reading/count-things.ts';

export function GroupList({ groups }: { readonly groups: readonly LegacyGroup[] }) {
  return (
    <section>
      <h3>Groups</h3>
      <ul className="list list-lined grid-wide">
        {groups.map((group) => (
          <GroupRow key={group.id} group={group} />
        ))}
      </ul>
    </section>
  );
}

function GroupRow({ group }: { readonly group: LegacyGroup }) {
  const zoneId = useZoneId();
  const change = useWrite({
    write: (isOn: boolean) => editGroup(zoneId, group, isOn ? 'on' : 'off'),
    done: `Saved the group ${group.name}`,
    failed: `The group ${group.name} could not be switched`,
  });
  return (
    <li className="row row-firm">
      <div className="grow">
        <strong>{group.name}</strong>
        <p className="soft">
          {group.description} {countThings(group.rules_count, 'rule')}
          {group.modified_rules_count > 0 && `, ${group.modified_rules_count.toLocaleString()} changed`}
        </p>
      </div>
      <Switch
        label={group.name}
        isOn={change.isPending ? change.variables : group.mode === 'on'}
        onChange={change.mutate}
      />
    </li>
  );
}
