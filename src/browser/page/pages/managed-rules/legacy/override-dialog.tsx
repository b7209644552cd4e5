/** The form of an override. */
import { useQueries } from '@tanstack/react-query';
import type { Sent } from '#client';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Check, TextField } from '../../../parts/forms/field.tsx';
import { WriteDialog } from '../../../parts/forms/form.tsx';
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
  readonly packages: readonly LegacyPackage[];
  /** Undefined: a new one. */
  readonly override?: UriOverride;
  readonly onClose: () => void;
}

const modes: readonly OverrideMode[] = ['default', 'disable', 'simulate', 'block', 'challenge'];
const modeNames = Object.fromEntries(modes.map((mode) => [mode, `where a rule would ${mode}`]));

function toDraft(override: UriOverride | undefined) {
  return {
    paused: override?.paused ?? false,
    urls: override?.urls.join('\n') ?? '',
    priority: String(override?.priority ?? 0),
    groups: override?.groups ?? {},
    rules: override?.rules ?? {},
    rewrite_action: override?.rewrite_action ?? {},
    description: override?.description ?? '',
  };
}

function toContent({
  urls,
  priority,
  description,
  ...others
}: ReturnType<typeof toDraft>): Sent<'wafOverrides.create'> {
  return {
    ...others,
    urls: urls
      .split('\n')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
    priority: Number(priority),
    description: description === '' ? null : description,
  };
}

export function OverrideDialog({ packages, override, onClose }: OverrideDialogProps) {
  const zone = useZone();
  const names = useNames(packages);
  return (
    <WriteDialog
      title={override === undefined ? 'Create override' : 'Edit override'}
      isWide
      action="Save override"
      initial={() => toDraft(override)}
      write={(draft) => saveOverride(zone.id, override, toContent(draft))}
      done="Saved the override"
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField
            label="URLs"
            hint={`One per line, such as ${zone.name}/upload*. A * stands for any text.`}
            rows={3}
            required
            {...bind('urls')}
          />
          <TextField label="Description" maxLength={1024} {...bind('description')} />
          <TextField
            label="Priority"
            hint="If several overrides match a URL, the one with the lowest number applies."
            inputMode="numeric"
            pattern="-?[0-9]+"
            required
            {...bind('priority')}
          />
          <ModeMap title="Groups" names={names.groups} modes={modes} {...bind('groups')} />
          <ModeMap title="Rules" names={names.rules} modes={modes} {...bind('rules')} />
          <ModeMap
            title="Actions instead of others"
            names={modeNames}
            modes={modes}
            {...bind('rewrite_action')}
          />
          <Check {...bind('paused')}>Paused: kept, but without effect</Check>
        </>
      )}
    </WriteDialog>
  );
}

/** The names of groups and rules of all packages, by id. */
function useNames(packages: readonly LegacyPackage[]) {
  const zoneId = useZoneId();
  const groups = useQueries({ queries: packages.map(({ id }) => groupsQuery(zoneId, id)) });
  const rules = useQueries({ queries: packages.map(({ id }) => rulesQuery(zoneId, id)) });
  return {
    groups: Object.fromEntries(groups.flatMap(({ data = [] }) => data.map(({ id, name }) => [id, name]))),
    rules: Object.fromEntries(
      rules.flatMap(({ data = [] }) => data.map(({ id, description }) => [id, `${id} ${description}`])),
    ),
  };
}
