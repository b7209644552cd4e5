/** Creating and changing a page rule. */
import { client } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { useDraft } from '../../parts/forms/draft.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import { ActionFields } from './action-fields.tsx';
import { type PageRule, toBody, toDraft } from './page-rule.ts';

interface FormProps {
  /** Actions that have an effect in this zone. */
  readonly effective: readonly string[];
  /** Undefined: a new one. */
  readonly rule: PageRule | undefined;
  readonly onClose: () => void;
}

const path = '/zones/{zone_id}/pagerules';

export function PageRuleForm({ effective, rule, onClose }: FormProps) {
  const zone = useZone();
  const draft = useDraft(rule, { read: toDraft });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    read: rule && (() => client.get(`${path}/{pagerule_id}`, { zone_id: zone.id, pagerule_id: rule.id })),
    async write(content, base, version) {
      const input = { zone_id: zone.id, body: toBody(content) };
      return base === undefined
        ? client.post(path, input)
        : client.put(`${path}/{pagerule_id}`, { ...input, pagerule_id: base.id, version });
    },
    done: 'The page rule is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={rule === undefined ? 'Create a page rule' : 'Change a page rule'}
      isWide
      action="Save page rule"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={value.url.trim() === '' || value.actions.length === 0}
      onSubmit={saving.save}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="A * matches any text."
        isCode
        placeholder={`${zone.name}/admin/*`}
        {...bind('url')}
      />
      <ActionFields
        effective={effective}
        actions={value.actions}
        onChange={(actions) => draft.change({ actions })}
      />
      <div className="grid">
        <TextField
          label="Priority"
          hint="The highest wins. Empty: 1."
          type="number"
          min={0}
          {...bind('priority')}
        />
        <SelectField label="Status" options={['active', 'disabled']} {...bind('status')} />
      </div>
    </FormDialog>
  );
}
