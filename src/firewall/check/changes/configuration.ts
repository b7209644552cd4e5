/** `set_config`: other settings than those of the zone. */
import { fixedSettings } from '#zone-settings';
import { configurationParameters } from '../../written/parameters.ts';
import type { ConfigurationParameters } from '../../model.ts';
import type { Field } from '../../problem.ts';

type Name = keyof ConfigurationParameters;

/** What there is not here, by the id of the setting that says why. */
const fixed: Readonly<Partial<Record<Name, string>>> = {
  automatic_https_rewrites: 'automatic_https_rewrites',
  email_obfuscation: 'email_obfuscation',
  mirage: 'mirage',
  opportunistic_encryption: 'opportunistic_encryption',
  polish: 'polish',
  rocket_loader: 'rocket_loader',
  server_side_excludes: 'server_side_exclude',
};

export function checkConfiguration(parameters: Field<unknown>): ConfigurationParameters | undefined {
  const field = parameters.as(configurationParameters);
  const problemsBefore = field.problems.count;
  if (field.isAbsent) return field.refuse('missingField', 'the action set_config needs it');
  if (!field.hasOnlyKnownFields()) return undefined;
  const names = (field.keys() ?? []) as readonly Name[];
  if (names.length === 0) return field.refuse('missingField', 'it must have at least one setting');
  for (const name of names) {
    const each = field.at(name);
    const value = each.read();
    const isOff = value === undefined || value === false || value === 'off';
    if (fixed[name] !== undefined && !isOff)
      each.refuse('notAvailable', `it is off: ${fixedSettings.get(fixed[name])!.reason}`);
  }
  return field.problems.count > problemsBefore ? undefined : (field.value as ConfigurationParameters);
}
