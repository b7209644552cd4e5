/** `serve_error`: a response of the zone's own in place of an error. */
import type { ErrorParameters } from '../../model.ts';
import type { Field } from '../../problem.ts';
import { errorParameters } from '../../written/parameters.ts';

export function checkError(parameters: Field<unknown>): ErrorParameters | undefined {
  const field = parameters.as(errorParameters);
  const problemsBefore = field.problems.count;
  if (field.isAbsent) return field.refuse('missingField', 'the action serve_error needs it');
  if (!field.hasOnlyKnownFields()) return undefined;
  const asset = field.at('asset_name');
  if (!asset.isAbsent && asset.read() !== '')
    asset.refuse('notAvailable', 'there are no error assets here: send content and content_type');
  else if (field.at('content').isThere()) field.at('content').read();
  if (!field.at('content_type').isAbsent) field.at('content_type').read();
  if (!field.at('status_code').isAbsent) field.at('status_code').read();
  return field.problems.count > problemsBefore ? undefined : (field.value as ErrorParameters);
}
