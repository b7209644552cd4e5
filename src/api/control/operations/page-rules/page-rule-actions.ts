/**
 * The actions of page rules and their values. Only `disable_security` and `waf` have an effect on the firewall. The others
 * are stored for clients, so their values are checked against Cloudflare's documentation and for size.
 */
import { isObject } from '#base';
import { didYouMean } from '#text';
import { isHost, isHostWithPort } from '#rulesets';
import type { PageRuleAction } from '../../stores/page-rules.ts';

/** The problem with a value, as the end of a sentence; undefined if it is valid. */
type Check = (value: unknown) => string | undefined;

const textCharactersMax = 1024;
const objectCharactersMax = 4096;
const secondsMax = 31_536_000;

/** Terraform sends `true` for an action without a value. */
const none: Check = (value) =>
  value === undefined || value === null || value === true ? undefined : 'takes no value: leave it out';

function oneOf(...values: readonly (string | number)[]): Check {
  return (value) =>
    values.includes(value as string | number) ? undefined : `takes a value of ${values.join(', ')}`;
}

function textOf(charactersMax: number): Check {
  return (value) =>
    typeof value === 'string' && value.length > 0 && value.length <= charactersMax
      ? undefined
      : `takes a text of 1 to ${charactersMax} characters`;
}

function secondsFrom(min: number): Check {
  return (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= secondsMax
      ? undefined
      : `takes a whole number of seconds from ${min} to ${secondsMax}`;
}

/** The content of the object is not checked. */
const anyObject: Check = (value) =>
  isObject(value) && JSON.stringify(value).length <= objectCharactersMax
    ? undefined
    : `takes an object of at most ${objectCharactersMax} characters`;

/**
 * Parts of the pattern fill in its placeholders. Another scheme, such as javascript, is harmful in a page that links to
 * it.
 */
const webUrl = /^https?:\/\/[^\s/\p{Cc}][^\s\p{Cc}]*$/iu;

const forwarding: Check = (value) => {
  const rule = 'takes { "url": one with http or https, "status_code": 301 or 302 }';
  if (!isObject(value) || Object.keys(value).some((key) => key !== 'url' && key !== 'status_code'))
    return rule;
  const { url } = value;
  const isUrl = textOf(textCharactersMax)(url) === undefined && webUrl.test(String(url));
  return isUrl && (value['status_code'] === 301 || value['status_code'] === 302) ? undefined : rule;
};

const minification: Check = (value) => {
  const rule = 'takes { "html", "css", "js" }, each on or off';
  if (!isObject(value) || Object.keys(value).some((key) => !['html', 'css', 'js'].includes(key))) return rule;
  return Object.values(value).every((each) => each === 'on' || each === 'off') ? undefined : rule;
};

const hostWithPort: Check = (value) =>
  typeof value === 'string' && isHostWithPort(value) ? undefined : 'takes a host name, perhaps with a port';

const hostOnly: Check = (value) =>
  typeof value === 'string' && isHost(value) ? undefined : 'takes a host name';

const onOff = oneOf('on', 'off');

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['always_online', onOff],
  ['always_use_https', none],
  ['automatic_https_rewrites', onOff],
  ['browser_cache_ttl', secondsFrom(0)],
  ['browser_check', onOff],
  ['bypass_cache_on_cookie', textOf(150)],
  ['cache_by_device_type', onOff],
  ['cache_deception_armor', onOff],
  ['cache_key_fields', anyObject],
  ['cache_level', oneOf('bypass', 'basic', 'simplified', 'aggressive', 'cache_everything')],
  ['cache_on_cookie', textOf(150)],
  ['cache_ttl_by_status', anyObject],
  ['disable_apps', none],
  ['disable_performance', none],
  ['disable_railgun', none],
  ['disable_security', none],
  ['disable_zaraz', none],
  ['edge_cache_ttl', secondsFrom(1)],
  ['email_obfuscation', onOff],
  ['explicit_cache_control', onOff],
  ['forwarding_url', forwarding],
  ['host_header_override', hostWithPort],
  ['ip_geolocation', onOff],
  ['minify', minification],
  ['mirage', onOff],
  ['opportunistic_encryption', onOff],
  ['origin_error_page_pass_thru', onOff],
  ['polish', oneOf('off', 'lossless', 'lossy')],
  ['resolve_override', hostOnly],
  ['respect_strong_etag', onOff],
  ['response_buffering', onOff],
  ['rocket_loader', onOff],
  ['security_level', oneOf('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack')],
  ['server_side_exclude', onOff],
  ['sort_query_string_for_cache', onOff],
  ['ssl', oneOf('off', 'flexible', 'full', 'strict', 'origin_pull')],
  ['true_client_ip_header', onOff],
  ['waf', onOff],
]);

/** Every problem with the actions of a rule, each as a sentence that starts with the field. */
export function listActionProblems(actions: readonly PageRuleAction[]): string[] {
  const problems: string[] = [];
  const seen = new Map<string, unknown>();
  for (const { id, value } of actions) {
    const check = checks.get(id);
    const problem =
      check === undefined ? `is not an action${didYouMean(id, [...checks.keys()])}` : check(value);
    if (problem !== undefined) problems.push(`.settings.${id}: ${problem}`);
    if (seen.has(id)) problems.push(`.settings.${id}: may be there once`);
    seen.set(id, value);
  }
  if (seen.has('forwarding_url') && seen.size > 1) {
    problems.push('.settings.forwarding_url: a rule that redirects can have no other action');
  }
  if (seen.has('disable_security') && seen.get('waf') === 'on') {
    problems.push('.settings.waf: a rule with disable_security cannot turn it on');
  }
  return problems;
}

/** The actions in the form in which they are stored and shown: without empty values. */
export function withoutEmptyValues(actions: readonly PageRuleAction[]): PageRuleAction[] {
  return actions.map(({ id, value }) => (checks.get(id) === none ? { id } : { id, value }));
}
