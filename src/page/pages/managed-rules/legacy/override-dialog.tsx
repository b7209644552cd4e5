/** Writes an override. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { Field, TextInput } from '../../../parts/field.tsx';
import { useChange } from '../changes.ts';
import { FormDialog } from '../form-dialog.tsx';
import {
  groupsQuery,
  type LegacyPackage,
  type OverrideMode,
  rulesQuery,
  saveOverride,
  type UriOverride,
} from './legacy-api.ts';
import { ModeMap } from './mode-map.tsx';

interface OverrideDialogProps {
  readonly zone: Zone;
  readonly packages: readonly LegacyPackage[];
  readonly override: UriOverride | undefined;
  readonly onClose: () => void;
}

const empty = {
  paused: false,
  urls: [],
  priority: 0,
  groups: {},
  rules: {},
  rewrite_action: {},
  description: null,
};

const modes: readonly OverrideMode[] = ['default', 'disable', 'simulate', 'block', 'challenge'];

export function OverrideDialog({ zone, packages, override, onClose }: OverrideDialogProps) {
  const [draft, setDraft] = useState<Omit<UriOverride, 'id'>>(override ?? empty);
  const [urls, setUrls] = useState(draft.urls.join('\n'));
  const [priority, setPriority] = useState(String(draft.priority));
  const change = useChange({
    zoneId: zone.id,
    change: () => saveOverride(zone.id, override, readDraft({ draft, urls, priority })),
    done: 'Saved the override',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={override === undefined ? 'Create override' : 'Edit override'}
      action="Save override"
      error={change.error}
      isBusy={change.isPending}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <Field label="URLs" hint={`One per line, such as ${zone.name}/upload*. A * stands for any text.`}>
        <TextInput
          render={<textarea rows={3} />}
          required
          value={urls}
          onValueChange={(text) => setUrls(text)}
        />
      </Field>
      <Field label="Description">
        <TextInput
          value={draft.description ?? ''}
          maxLength={1024}
          onValueChange={(text) => setDraft({ ...draft, description: text === '' ? null : text })}
        />
      </Field>
      <Field
        label="Priority"
        hint="If several overrides match a URL, the one with the lowest number applies."
      >
        <TextInput
          inputMode="numeric"
          pattern="-?[0-9]+"
          required
          value={priority}
          onValueChange={setPriority}
        />
      </Field>
      <ModeMaps zoneId={zone.id} packages={packages} draft={draft} onChange={setDraft} />
      <label className="row">
        <input
          type="checkbox"
          checked={draft.paused}
          onChange={({ target }) => setDraft({ ...draft, paused: target.checked })}
        />
        Paused: kept, but without effect
      </label>
    </FormDialog>
  );
}

interface ModeMapsProps {
  readonly zoneId: string;
  readonly packages: readonly LegacyPackage[];
  readonly draft: Omit<UriOverride, 'id'>;
  readonly onChange: (draft: Omit<UriOverride, 'id'>) => void;
}

function ModeMaps({ zoneId, packages, draft, onChange }: ModeMapsProps) {
  const names = useNames(zoneId, packages);
  return (
    <>
      <ModeMap
        title="Groups"
        choices={names.groups}
        modes={modes}
        value={draft.groups}
        onChange={(groups) => onChange({ ...draft, groups })}
      />
      <ModeMap
        title="Rules"
        choices={names.rules}
        modes={modes}
        value={draft.rules}
        onChange={(rules) => onChange({ ...draft, rules })}
      />
      <ModeMap
        title="Actions instead of others"
        choices={modes.map((mode) => ({ id: mode, name: `where a rule would ${mode}` }))}
        modes={modes}
        value={draft.rewrite_action}
        onChange={(rewrite_action) => onChange({ ...draft, rewrite_action })}
      />
    </>
  );
}

interface Typed {
  readonly draft: Omit<UriOverride, 'id'>;
  readonly urls: string;
  readonly priority: string;
}

function readDraft({ draft, urls, priority }: Typed): Omit<UriOverride, 'id'> {
  const { paused, groups, rules, rewrite_action, description } = draft;
  const lines = urls.split('\n').map((url) => url.trim());
  return {
    paused,
    urls: lines.filter((url) => url !== ''),
    priority: Number(priority),
    groups,
    rules,
    rewrite_action,
    description,
  };
}

/** Groups and rules of all packages, by name. */
function useNames(zoneId: string, packages: readonly LegacyPackage[]) {
  const groups = useQueries({ queries: packages.map(({ id }) => groupsQuery(zoneId, id)) });
  const rules = useQueries({ queries: packages.map(({ id }) => rulesQuery(zoneId, id)) });
  return {
    groups: groups.flatMap(({ data = [] }) => data.map(({ id, name }) => ({ id, name }))),
    rules: rules.flatMap(({ data = [] }) =>
      data.map(({ id, description }) => ({ id, name: `${id} ${description}` })),
    ),
  };
}
