/** A bundle of one zone for another: URL patterns have to name a host of the zone they are in. */
import type { Bundle } from './bundle-part.ts';

export function renamed(bundle: Bundle, to: string): Bundle {
  const { name: from } = bundle.zone;
  const { page_rules, previous } = bundle;
  const url = (text: string): string => withHost(text, from, to);
  return {
    ...bundle,
    ...(page_rules === undefined
      ? {}
      : {
          page_rules: page_rules.map((rule) => ({
            ...rule,
            targets: rule.targets.map(({ target, constraint: { operator, value } }) => ({
              target,
              constraint: { operator, value: url(value) },
            })),
          })),
        }),
    ...(previous === undefined
      ? {}
      : {
          previous: {
            ...previous,
            overrides: previous.overrides.map((override) => ({ ...override, urls: override.urls.map(url) })),
          },
        }),
  };
}

/** The host ends where the path, the query or a port begins, or at a star that stands for all of these. */
function withHost(url: string, from: string, to: string): string {
  const [, scheme = '', host = '', rest = ''] = /^((?:[a-z*]+:\/\/)?)([^/:?]*)(.*)$/is.exec(url)!;
  const [, name = '', star = ''] = /^(.*?)(\*?)$/s.exec(host)!;
  if (!name.toLowerCase().endsWith(from.toLowerCase())) return url;
  return `${scheme}${name.slice(0, name.length - from.length)}${to}${star}${rest}`;
}
