/** Overrides by tag, in order of precedence. */
import { useMemo } from 'react';
import {
  editCategory,
  isParanoiaOnly,
  type ManagedRule,
  type Overrides,
  removeCategory,
} from '../../../api/managed/overrides.ts';
import { Button } from '../../../parts/button.tsx';
import { Select } from '../../../parts/forms/field.tsx';
import { OverrideSelects } from './override-selects.tsx';
import { groupTags, TagOptions } from './tags.tsx';

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
    <section className="stack-close">
      <h3>Tags</h3>
      <p className="soft">
        A tag covers all rules that have it, including future ones. If a rule has several, the last one in
        this list decides.
      </p>
      {shown.map((override) => (
        <div key={override.category} className="row">
          <code className="grow">{override.category}</code>
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
      <Select
        className="override-tag"
        aria-label="Override a tag"
        value=""
        onChange={(tag) => onChange(editCategory(overrides, tag, {}))}
      >
        <option value="" disabled>
          Override a tag…
        </option>
        <TagOptions groups={free} />
      </Select>
    </section>
  );
}
