/** Redirects of rules and page rules, compiled. */
import type { RequestView } from '#expressions';
import {
  bulkRedirectKey,
  redirectStatuses,
  addQuery,
  leadsBack,
  writeLocation,
  type RedirectParameters,
} from '#rulesets';
import type { Compiling } from '../programs/rule-program.ts';
import type { Act, Effect } from './change.ts';
import { RedirectList } from './redirect-list.ts';
import { compileField, compileGivenValue, type ValueOf } from './given-value.ts';

/** Cloudflare's default. */
const statusByDefault = 302;

export function compileRedirect(parameters: RedirectParameters, options: Compiling['options']): Act {
  if (parameters.from_value === undefined) throw new RangeError('it has no from_value');
  const {
    target_url,
    status_code: status = statusByDefault,
    preserve_query_string = false,
  } = parameters.from_value;
  if (!redirectStatuses.some((each) => each === status))
    throw new RangeError(`no redirect has the status ${status}`);
  const { read } = compileGivenValue(target_url, options);
  return (view) => redirect(view, { target: read(view), status, keepsQuery: preserve_query_string });
}

/** Looks the URL up in a list of redirects. */
export function compileBulkRedirect(
  { from_list: from }: RedirectParameters,
  { lists }: Compiling['options'],
): Act {
  if (from === undefined) throw new RangeError('it has no from_list');
  const list = lists?.get(from.name);
  if (!(list instanceof RedirectList)) throw new RangeError(`there is no list of redirects ${from.name}`);
  const read = compileField(bulkRedirectKey);
  return (view) => {
    const found = list.find(read(view) ?? '');
    if (found === undefined) return { kind: 'nothing', reason: `the list ${from.name} has no such URL` };
    return redirect(view, found);
  };
}

interface RedirectParts {
  readonly target: string | undefined;
  readonly status: number;
  readonly keepsQuery: boolean;
}

/** A redirect to the requested URL would loop, so it has no effect. */
export function redirect(view: RequestView, { target, status, keepsQuery }: RedirectParts): Effect {
  const asked = compileAsked();
  const written = target === undefined ? undefined : writeLocation(target);
  const location =
    written && keepsQuery ? writeLocation(addQuery(written, asked.query(view) ?? '')) : written;
  if (location === undefined) return { kind: 'nothing', reason: 'the target is not an http or https URL' };
  const url = {
    isSecure: asked.scheme(view)?.startsWith('https:') === true,
    host: asked.host(view) ?? '',
    uri: asked.uri(view) ?? '',
  };
  if (leadsBack(location, url)) return { kind: 'nothing', reason: 'the target is the requested URL' };
  return { kind: 'redirect', status, location };
}

interface RequestedUrl {
  readonly scheme: ValueOf;
  readonly host: ValueOf;
  readonly uri: ValueOf;
  readonly query: ValueOf;
}

let asked: RequestedUrl | undefined;

/** Compiled for the first redirect of the process. */
function compileAsked(): RequestedUrl {
  return (asked ??= {
    scheme: compileField('http.request.full_uri'),
    host: compileField('http.request.headers["host"][0]'),
    uri: compileField('raw.http.request.uri'),
    query: compileField('raw.http.request.uri.query'),
  });
}
