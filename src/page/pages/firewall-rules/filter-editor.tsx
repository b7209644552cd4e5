/** One filter: its expression counts for every rule that uses it. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, lookUp } from '../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../api/guarded-write.ts';
import type { Zone } from '../../api/types.ts';
import { describeError } from '../../api/api-error.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { useAssistance } from '../../parts/expression-editor/assist.ts';
import { ConditionEditor } from '../../parts/expression-editor/condition-editor.tsx';
import { hasError } from '../../parts/expression-editor/expression-editor.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Failed } from '../../parts/states.tsx';
import { tell } from '../../parts/toasts.tsx';
import { LastDay } from './editor/last-day.tsx';
import { type Filter, type FirewallRule, nameOf } from './rules-api.ts';
import { useStoredDraft } from './stored-draft.ts';

interface FilterEditorProps {
  readonly zone: Zone;
  readonly rules: readonly FirewallRule[];
  readonly filters: readonly Filter[];
  /** Or `new`. */
  readonly filterId: string;
  readonly onClose: () => void;
}

interface FilterDraft {
  readonly expression: string;
  readonly description: string;
}

export function FilterEditor(props: FilterEditorProps) {
  const [filter] = useState(props.filters.find(({ id }) => id === props.filterId));
  if (props.filterId === 'new' || filter !== undefined) return <FilterForm {...props} filter={filter} />;
  return (
    <>
      <PageHead title="Firewall rules">
        <Button onClick={props.onClose}>Back to the filters</Button>
      </PageHead>
      <Failed error={new Error('This filter does not exist, or not any more.')} />
    </>
  );
}

interface FilterFormProps extends FilterEditorProps {
  readonly filter: Filter | undefined;
}

function FilterForm({ zone, rules, filterId, filter, onClose }: FilterFormProps) {
  const users = rules.filter((rule) => rule.filter.id === filterId);
  const stored = useStoredDraft<FilterDraft, Filter | undefined>(
    `${zone.id}:filter:${filterId}`,
    { expression: filter?.expression ?? '', description: filter?.description ?? '' },
    filter,
  );
  const { draft, change } = stored;
  const assistance = useAssistance(zone.id, draft.expression);
  const isReady = assistance !== undefined && !hasError(assistance);
  const { save, isBusy, error } = useSaveFilter({ zoneId: zone.id, stored, onClose });
  const leave = (): void => {
    stored.discard();
    onClose();
  };
  return (
    <>
      <PageHead
        title={filterId === 'new' ? 'Create a filter' : 'Edit filter'}
        about={
          users.length === 0
            ? 'No rule uses it.'
            : `A change counts at once for: ${users.map((rule) => nameOf(rule).slice(0, 60)).join('; ')}.`
        }
      />
      {stored.isRestored && <p className="note">This is what you had typed and not saved.</p>}
      <div className="firewall-rules-form stack">
        <Card title="What it matches">
          <ConditionEditor
            label="Expression"
            value={draft.expression}
            onChange={(expression) => change({ expression })}
          />
          <Field label="Description">
            <TextInput
              value={draft.description}
              maxLength={500}
              onChange={({ target }) => change({ description: target.value })}
            />
          </Field>
        </Card>
        <Card title="In the last day’s log">
          <LastDay zoneId={zone.id} expression={isReady ? draft.expression : undefined} />
        </Card>
        <div className="firewall-rules-save">
          {error !== undefined && (
            <p className="form-error" role="alert">
              Not saved: {describeError(error)}
            </p>
          )}
          <Button onClick={leave}>Discard</Button>
          <Button look="primary" isBusy={isBusy} disabled={!isReady} onClick={() => void save()}>
            Save the filter
          </Button>
        </div>
      </div>
    </>
  );
}

interface SaveOptions {
  readonly zoneId: string;
  readonly stored: ReturnType<typeof useStoredDraft<FilterDraft, Filter | undefined>>;
  readonly onClose: () => void;
}

function useSaveFilter({ zoneId, stored, onClose }: SaveOptions) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await writeFilter(zoneId, stored.seen, stored.draft);
      stored.discard();
      await queries.invalidateQueries({ queryKey: ['filters', zoneId] });
      await queries.invalidateQueries({ queryKey: ['firewall-rules', zoneId] });
      tell('Filter saved');
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return { save, isBusy, error };
}

async function writeFilter(zoneId: string, seen: Filter | undefined, draft: FilterDraft): Promise<void> {
  const description = draft.description.trim();
  const content = { expression: draft.expression, ...(description === '' ? {} : { description }) };
  if (seen === undefined) {
    await client.post('/zones/{zone_id}/filters', { zone_id: zoneId, body: [content] });
    return;
  }
  const { id, paused, ref } = seen;
  const path = '/zones/{zone_id}/filters/{filter_id}';
  const names = { zone_id: zoneId, filter_id: id };
  const body = { id, paused, ...(ref === undefined ? {} : { ref }), ...content };
  const look = async (): Promise<Version> => {
    const { result, version } = await lookUp(client.get(path, names));
    if (isSame(result, seen)) return version;
    const now = result === undefined ? 'deleted' : result.expression;
    throw new Error(
      `Somebody changed this filter in the meantime: it is now ${now}. Copy what you need, discard, and open it again.`,
    );
  };
  await writeUnlessChanged(look, (version) => client.put(path, { ...names, body, version }));
}
