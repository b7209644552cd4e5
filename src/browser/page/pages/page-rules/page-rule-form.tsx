/** Creating and changing a page rule. */
import { client } from '../../api/client.ts';
import { useZone } from '../../api/queries.ts';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { SaveDialog } from '../../parts/forms/save-form.tsx';
import { ActionFields } from './action-fields.tsx';
import { type PageRule, toBody, toDraft } from './page-rule.ts';

interface PageRuleFormProps {
  /** Actions that have an effect in this zone. */
  readonly effective: readonly string[];
  /** Undefined: a new one. */
  readonly rule: PageRule | undefined;
  readonly onClose: () => void;
}

const path = '/zones/{zone_id}/pagerules';

export function PageRuleForm({ effective, rule, onClose }: PageRuleFormProps) {
  const zone = useZone();
  const names = { zone_id: zone.id, pagerule_id: rule?.id ?? '' };
  return (
    <SaveDialog
      title={rule === undefined ? 'Create a page rule' : 'Change a page rule'}
      isWide
      action="Save page rule"
      saved={rule}
      toFields={toDraft}
      read={rule && (() => client.get(`${path}/{pagerule_id}`, names))}
      write={async (draft, base, version) => {
        const input = { ...names, body: toBody(draft) };
        return base === undefined
          ? client.post(path, input)
          : client.put(`${path}/{pagerule_id}`, { ...input, version });
      }}
      done="The page rule is saved"
      isIncomplete={({ url, actions }) => url.trim() === '' || actions.length === 0}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField
            label="URL"
            hint="A * matches any text."
            isCode
            placeholder={`${zone.name}/admin/*`}
            {...bind('url')}
          />
          <ActionFields effective={effective} {...bind('actions')} />
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
        </>
      )}
    </SaveDialog>
  );
}
