/** The groups of a package, each with its switch. */
import { useZoneId } from '../../../api/queries.ts';
import { WriteSwitch } from '../../../parts/forms/write-button.tsx';
import { countThings } from '../../../parts/reading/count-things.ts';
import { editGroup, type LegacyGroup } from './legacy-api.ts';

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
  return (
    <li className="row row-firm">
      <div className="grow">
        <strong>{group.name}</strong>
        <p className="soft">
          {group.description} {countThings(group.rules_count, 'rule')}
          {group.modified_rules_count > 0 && `, ${group.modified_rules_count.toLocaleString()} changed`}
        </p>
      </div>
      <WriteSwitch
        label={group.name}
        isOn={group.mode === 'on'}
        write={(isOn) => editGroup(zoneId, group, isOn ? 'on' : 'off')}
        done={`Saved the group ${group.name}`}
        failed={`The group ${group.name} could not be switched`}
      />
    </li>
  );
}
