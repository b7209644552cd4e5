/**
 * The tags of a ruleset's rules, separated into those that name the attacked product and those that name a single
 * vulnerability.
 */
import type { ManagedRule } from '../../../api/managed/overrides.ts';

interface Tag {
  readonly name: string;
  readonly count: number;
}

interface TagGroup {
  readonly title: string;
  readonly tags: readonly Tag[];
}

export function groupTags(rules: readonly ManagedRule[]): readonly TagGroup[] {
  const counts = new Map<string, number>();
  for (const name of rules.flatMap(({ categories = [] }) => categories)) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const tags = [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const kinds = Map.groupBy(tags, ({ name }) => kindOf(name));
  return kindsInOrder.flatMap((title) => {
    const found = kinds.get(title);
    return found === undefined ? [] : [{ title, tags: found }];
  });
}

const kindsInOrder = ['Paranoia level', 'Category', 'CVE'] as const;

function kindOf(name: string): (typeof kindsInOrder)[number] {
  if (name.startsWith('paranoia-level-')) return 'Paranoia level';
  return /^cve-\d/.test(name) ? 'CVE' : 'Category';
}

/** The tags as options of a select, with the number of rules of each. */
export function TagOptions({ groups }: { readonly groups: readonly TagGroup[] }) {
  return groups.map(({ title, tags }) => (
    <optgroup key={title} label={title}>
      {tags.map(({ name, count }) => (
        <option key={name} value={name}>
          {name} ({count.toLocaleString()})
        </option>
      ))}
    </optgroup>
  ));
}
