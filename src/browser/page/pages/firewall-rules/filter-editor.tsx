/** One filter: its expression applies to every rule that uses it. */
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { Card } from '../../parts/card.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { useAssistance } from '../../parts/expression-editor/assist.ts';
import { ConditionEditor } from '../../parts/expression-editor/condition-editor.tsx';
import { hasError } from '../../parts/expression-editor/expression-editor.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { useSave } from '../../parts/forms/save.tsx';
import { EditorPage, NotThere } from '../rules/editor/editor-page.tsx';
import { TriedCards } from '../rules/editor/tried-cards.tsx';
import { nameOf } from '../rules/listed-rule.ts';
import { type Filter, filterPath, type FirewallRule, toListed } from './rules-api.ts';

interface FilterEditorProps {
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
  /** Or `new`. */
  readonly filterId: string;
  readonly onClose: () => void;
}

export function FilterEditor(props: FilterEditorProps) {
  const found = props.filters.find(({ id }) => id === props.filterId);
  // Editing continues if another user deletes the filter meanwhile.
  const [first] = useState(found);
  const filter = found ?? first;
  if (props.filterId !== 'new' && filter === undefined)
    return <NotThere title="Firewall rules" what="filter" onClose={props.onClose} />;
  return <FilterForm {...props} filter={filter} />;
}

function toDraft(filter: Filter | undefined) {
  return { expression: filter?.expression ?? '', description: filter?.description ?? '' };
}

interface FilterFormProps extends FilterEditorProps {
  readonly filter: Filter | undefined;
}

function FilterForm({ rules, filterId, filter, onClose }: FilterFormProps) {
  const zone_id = useZoneId();
  const users = rules.filter((rule) => rule.filter.id === filterId);
  const draft = useDraft(filter, { read: toDraft, key: `${zone_id}:filter:${filterId}` });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    read: filter && (() => client.get(filterPath, { zone_id, filter_id: filter.id })),
    what: 'this filter',
    async write({ expression, description }, seen, version) {
      const content = {
        expression,
        ...(description.trim() === '' ? {} : { description: description.trim() }),
      };
      if (seen === undefined) return client.post('/zones/{zone_id}/filters', { zone_id, body: [content] });
      const { id, paused, ref } = seen;
      const body = { id, paused, ...(ref === undefined ? {} : { ref }), ...content };
      return client.put(filterPath, { zone_id, filter_id: id, body, version });
    },
    done: 'Filter saved',
    onDone: onClose,
  });
  const assistance = useAssistance(zone_id, value.expression);
  const isReady = assistance !== undefined && !hasError(assistance);
  const theirs = saving.conflict?.theirs;
  return (
    <EditorPage
      title={filterId === 'new' ? 'Create a filter' : 'Edit filter'}
      about={
        users.length === 0
          ? 'No rule uses it.'
          : `A change takes effect at once for: ${users.map((rule) => nameOf(toListed(rule)).slice(0, 60)).join('; ')}.`
      }
      saving={saving}
      changes={theirs === undefined ? [] : [`It is now ${theirs.expression}`]}
      isReady={isReady}
      action="Save the filter"
      onClose={onClose}
    >
      <Card title="What it matches">
        <ConditionEditor label="Expression" {...bind('expression')} />
        <TextField label="Description" maxLength={500} {...bind('description')} />
      </Card>
      <TriedCards expression={isReady ? value.expression : undefined} />
    </EditorPage>
  );
}
