/**
 * Invalid redirects of page rules: to a URL that the rule itself matches, or with a placeholder for a star that the
 * pattern lacks.
 */
import { isObject } from '#base';
import { portOf } from '#listeners';
import { compilePagePattern } from '#rulesets';
import type { PageRuleAction } from '../../stores/page-rules.ts';

/** One looping visitor is enough: the one for whom every star matches this. */
const sample = 'a';

/** The pattern and the actions have been checked. */
export function forwardsToItself(pattern: string, actions: readonly PageRuleAction[]): boolean {
  const forwarding = actions.find(({ id }) => id === 'forwarding_url')?.value;
  if (!isObject(forwarding)) return false;
  const target = URL.parse(String(forwarding['url']).replaceAll(/\$[1-9]/g, sample));
  if (target === null) return false;
  const { protocol, hostname, pathname, search } = target;
  return compilePagePattern(pattern)({
    scheme: protocol === 'https:' ? 'https' : 'http',
    host: hostname,
    port: portOf(target),
    path: pathname,
    query: search === '' ? undefined : search.slice(1),
  });
}

/** The placeholder in the target, `$` and a number, that has no star in the pattern; undefined if all have one. */
export function findMissingStar(pattern: string, actions: readonly PageRuleAction[]): string | undefined {
  const forwarding = actions.find(({ id }) => id === 'forwarding_url')?.value;
  if (!isObject(forwarding)) return undefined;
  const stars = pattern.split('*').length - 1;
  const used = String(forwarding['url']).match(/\$[1-9]/g) ?? [];
  return used.find((name) => Number(name.slice(1)) > stars);
}
