/** `redirect`: responds with another URL. */
import { bytesOf } from '#text';
import { bulkRedirectKey, redirectStatuses } from '../../written/parameters.ts';
import { writeLocation } from '../../written/location.ts';
import type { RedirectParameters } from '../../model.ts';
import type { BodyField } from '../../problem.ts';
import type { ChangeContext } from './change-context.ts';
import { checkGivenValue } from './given-value.ts';
import { redirectsItself } from './redirect-loop.ts';

export function checkRedirect(
  field: BodyField<RedirectParameters>,
  { home, context, expression }: ChangeContext,
): void {
  const problemsBefore = field.problems.count;
  const list = field.at('from_list');
  if (!list.isAbsent)
    return list.refuse(
      'notAvailable',
      'lists are for rules of an account in the phase http_request_redirect',
    );
  const from = field.at('from_value');
  if (!from.isThere() || !from.hasOnlyKnownFields()) return;
  const status = from.at('status_code').read() ?? 302;
  if (!redirectStatuses.some((each) => each === status))
    from.at('status_code').refuse('unknownChoice', `it must be one of ${redirectStatuses.join(', ')}`);
  from.at('preserve_query_string').read();
  const target = checkGivenValue(from.at('target_url'), { home, context, checkText: checkTarget });
  if (field.problems.count > problemsBefore) return;
  const isLoop =
    target !== undefined &&
    expression !== undefined &&
    redirectsItself({
      expression,
      location: writeLocation(bytesOf(target))!,
      status,
      zoneName: context.zoneName,
    });
  if (isLoop)
    from
      .at('target_url')
      .at('value')
      .refuse('redirectLoop', 'the rule matches requests for it, so they would be redirected without an end');
}

/** `redirect` from a list, which contains the targets. */
export function checkBulkRedirect(field: BodyField<RedirectParameters>, { context }: ChangeContext): void {
  const value = field.at('from_value');
  if (!value.isAbsent)
    return value.refuse('notAvailable', 'use a rule of a zone in the phase http_request_dynamic_redirect');
  const from = field.at('from_list');
  if (!from.isThere() || !from.hasOnlyKnownFields()) return;
  const name = from.at('name').read();
  const key = from.at('key').read();
  if (name === undefined || key === undefined) return;
  if (context.lists.get(name) !== 'redirect')
    return from.at('name').refuse('notFound', `the account has no list of redirects with this name`);
  if (key !== bulkRedirectKey) from.at('key').refuse('unknownChoice', `it must be ${bulkRedirectKey}`);
}

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const control = /[\x00-\x1f\x7f]/;

function checkTarget(value: string): string | undefined {
  if (control.test(value)) return 'it must have no line ends and other control characters';
  return writeLocation(bytesOf(value)) === undefined
    ? 'it must be a URL that begins with http:// or https://, or a path that begins with one slash'
    : undefined;
}
