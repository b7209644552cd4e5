/** `set_config`: settings that replace those of the zone. */
import { configurationParameters } from '../../written/parameters.ts';
import type { ConfigurationParameters } from '../../model.ts';
import type { Field } from '../../problem.ts';

export function checkConfiguration(parameters: Field<unknown>): ConfigurationParameters | undefined {
  const field = parameters.as(configurationParameters);
  const problemsBefore = field.problems.count;
  if (field.isAbsent) return field.refuse('missingField', 'the action set_config needs it');
  if (!field.hasOnlyKnownFields()) return undefined;
  const names = (field.keys() ?? []) as readonly (keyof ConfigurationParameters)[];
  if (names.length === 0) return field.refuse('missingField', 'it must have at least one setting');
  for (const name of names) field.at(name).read();
  return field.problems.count > problemsBefore ? undefined : (field.value as ConfigurationParameters);
}
