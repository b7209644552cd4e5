/** `rewrite`: another URL for later rules and the origin, or other fields in the request or the response. */
import { bytesOf } from '#text';
import { checkHeaderName, checkHeaderValue } from '../../written/header-fields.ts';
import { headerNameCharactersMax, headerOperationsMax } from '../../limits.ts';
import type { RewriteParameters } from '../../model.ts';
import type { BodyField } from '../../problem.ts';
import { checkPathText, checkQueryText } from '../../written/rewritten-uri.ts';
import type { ChangeContext } from './change-context.ts';
import { checkGivenValue } from './given-value.ts';

export function checkUriRewrite(field: BodyField<RewriteParameters>, { home, context }: ChangeContext): void {
  if (!hasOnly(field, 'uri')) return;
  const uri = field.at('uri');
  if (!uri.isThere() || !uri.hasOnlyKnownFields()) return;
  const [path, query] = [uri.at('path'), uri.at('query')];
  if (path.isAbsent && query.isAbsent) return uri.refuse('missingField', 'it must have path, query or both');
  if (!path.isAbsent)
    checkGivenValue(path, { home, context, checkText: (value) => checkPathText(bytesOf(value)) });
  if (!query.isAbsent)
    checkGivenValue(query, {
      home,
      context,
      checkText: (value) => checkQueryText(bytesOf(value)),
      mayBeEmpty: true,
    });
}

export function checkHeaderRewrite(
  field: BodyField<RewriteParameters>,
  { home, context }: ChangeContext,
): void {
  if (!hasOnly(field, 'headers')) return;
  const headers = field.at('headers');
  if (!headers.isThere()) return;
  const names = headers.keys() ?? [];
  if (names.length === 0) headers.refuse('missingField', 'it must name at least one field');
  if (names.length > headerOperationsMax)
    return headers.refuse('outOfRange', `it names more than ${headerOperationsMax} fields`);
  const seen = new Set<string>();
  for (const name of names) {
    const item = headers.at(name);
    const operation = item.isThere() && item.hasOnlyKnownFields() ? item.at('operation').read() : undefined;
    if (operation === undefined) continue;
    const problem =
      name.length > headerNameCharactersMax
        ? `its name is longer than ${headerNameCharactersMax} characters`
        : checkHeaderName(name, operation, home.phase);
    if (problem !== undefined) item.refuse('invalidTarget', problem);
    if (seen.has(name.toLowerCase())) item.refuse('duplicate', 'it stands there twice');
    seen.add(name.toLowerCase());
    if (operation !== 'remove') checkGivenValue(item, { home, context, checkText: checkHeaderValue });
    else if ((item.at('value').value ?? '') !== '' || (item.at('expression').value ?? '') !== '')
      item.refuse('wrongCombination', 'the operation remove has no value');
  }
}

/** Each phase rewrites one thing. */
function hasOnly(field: BodyField<RewriteParameters>, part: keyof RewriteParameters): boolean {
  const other = field.at(part === 'uri' ? 'headers' : 'uri');
  if (!other.isAbsent) other.refuse('notAvailable', `rules of this phase have only ${part}`);
  else if (field.at(part).isAbsent) field.at(part).refuse('missingField', 'it is required');
  return other.isAbsent && !field.at(part).isAbsent;
}
