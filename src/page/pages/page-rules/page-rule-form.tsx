/** Creating and changing a page rule. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Zone } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { SaveError, saveUnlessChanged } from '../../parts/guarded-save.tsx';
import { tell } from '../../parts/toasts.tsx';
import { ActionFields } from './action-fields.tsx';
import { type Draft, type PageRule, toBody, toDraft } from './page-rule.ts';

interface FormProps {
  readonly zone: Zone;
  /** Actions that do something in this zone. */
  readonly effective: readonly string[];
  readonly edited: PageRule | 'new' | undefined;
  readonly onClose: () => void;
  readonly onReload: () => Promise<void>;
}

export function PageRuleForm({ edited, ...others }: FormProps) {
  const rule = typeof edited === 'object' ? edited : undefined;
  return (
    <Dialog
      title={rule === undefined ? 'Create a page rule' : 'Change a page rule'}
      isOpen={edited !== undefined}
      onClose={others.onClose}
      isWide
    >
      {edited !== undefined && <Content key={rule?.modified_on ?? 'new'} rule={rule} {...others} />}
    </Dialog>
  );
}

interface ContentProps extends Omit<FormProps, 'edited'> {
  readonly rule: PageRule | undefined;
}

function Content({ zone, effective, rule, onClose, onReload }: ContentProps) {
  const [draft, setDraft] = useState(() => toDraft(rule));
  const change = (part: Partial<Draft>): void => setDraft((current) => ({ ...current, ...part }));
  const saving = useSave(zone.id, rule, draft, onClose);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    saving.mutate({ isForced: false });
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field label="URL" hint="A star stands for anything.">
        <TextInput
          value={draft.url}
          placeholder={`${zone.name}/admin/*`}
          className="input mono"
          autoComplete="off"
          onChange={(event) => change({ url: event.target.value })}
        />
      </Field>
      <ActionFields
        effective={effective}
        actions={draft.actions}
        onChange={(actions) => change({ actions })}
      />
      <div className="page-rules-pair">
        <Field label="Priority" hint="The highest wins. Empty: 1.">
          <TextInput
            type="number"
            min={0}
            value={draft.priority}
            onChange={(event) => change({ priority: event.target.value })}
          />
        </Field>
        <Field label="Status">
          <Select
            value={draft.status}
            onChange={(event) => change({ status: event.target.value as PageRule['status'] })}
          >
            <option value="active">active</option>
            <option value="disabled">disabled</option>
          </Select>
        </Field>
      </div>
      {saving.isError && (
        <SaveError
          error={saving.error}
          onLoadTheirs={() => void onReload()}
          onSaveAnyway={() => saving.mutate({ isForced: true })}
        />
      )}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="primary"
          isBusy={saving.isPending}
          disabled={draft.url.trim() === '' || draft.actions.length === 0}
        >
          Save page rule
        </Button>
      </div>
    </form>
  );
}

function useSave(zoneId: string, rule: PageRule | undefined, draft: Draft, onClose: () => void) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ isForced }: { readonly isForced: boolean }) {
      const body = toBody(draft);
      if (rule === undefined) return client.post('/zones/{zone_id}/pagerules', { zone_id: zoneId, body });
      const path = '/zones/{zone_id}/pagerules/{pagerule_id}';
      const names = { zone_id: zoneId, pagerule_id: rule.id };
      return saveUnlessChanged({ read: () => client.get(path, names), base: rule, isForced }, (version) =>
        client.put(path, { ...names, body, version }),
      );
    },
    onSuccess() {
      tell('The page rule is saved');
      onClose();
      void queries.invalidateQueries({ queryKey: ['page-rules', zoneId] });
    },
  });
}
