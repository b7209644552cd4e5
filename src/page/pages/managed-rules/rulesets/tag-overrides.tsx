/** Overrides by tag, in the order in which they count. */
import { useMemo } from 'react';
import { Button } from '../../../parts/button.tsx';
import { OverrideSelects } from './override-selects.tsx';
import {
  editCategory,
  isParanoiaOnly,
  type ManagedRule,
  type Overrides,
  removeCategory,
} from './overrides.ts';
import { TagOptions } from './tag-options.tsx';
import { groupTags } from './tags.ts';

interface TagOverridesProps {
  readonly rules: readonly ManagedRule[];
  readonly overrides: Overrides;
  readonly isScored: boolean;
  readonly onChange: (overrides: Overrides) => void;
}

export function TagOverrides({ rules, overrides, isScored, onChange }: TagOverridesProps) {
  const groups = useMemo(() => groupTags(rules), [rules]);
  const shown = (overrides.categories ?? []).filter((each) => !(isScored && isParanoiaOnly(each)));
  const taken = new Set(overrides.categories?.map(({ category }) => category));
  const free = groups
    .filter(({ title }) => !isScored || title !== 'Paranoia level')
    .map(({ title, tags }) => ({ title, tags: tags.filter(({ name }) => !taken.has(name)) }));
  return (
    <section className="managed-rules-map">
      <h3>Tags</h3>
      <p className="soft">
        A tag stands for all rules that have it, later ones included. If a rule has several, the last of this
        list decides.
      </p>
      {shown.map((override) => (
        <div key={override.category} className="managed-rules-row">
          <code className="managed-rules-what">{override.category}</code>
          <OverrideSelects
            name={override.category}
            value={override}
            hasAction={!isScored}
            onChange={(edit) => onChange(editCategory(overrides, override.category, edit))}
          />
          <Button
            look="quiet"
            aria-label={`Remove the override of ${override.category}`}
            onClick={() => onChange(removeCategory(overrides, override.category))}
          >
            Remove
          </Button>
        </div>
      ))}
      <select
        className="input managed-rules-add"
        aria-label="Override a tag"
        value=""
        onChange={({ target }) => onChange(editCategory(overrides, target.value, {}))}
      >
        <option value="" disabled>
          Override a tag…
        </option>
        <TagOptions groups={free} />
      </select>
    </section>
  );
}
