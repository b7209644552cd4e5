import type { TagGroup } from './tags.ts';

/** The tags as options of a select, with how many rules have each. */
export function TagOptions({ groups }: { readonly groups: readonly TagGroup[] }) {
  return groups.map(({ title, tags }) => (
    <optgroup key={title} label={title}>
      {tags.map(({ name, count }) => (
        <option key={name} value={name}>
          {name} ({count})
        </option>
      ))}
    </optgroup>
  ));
}
