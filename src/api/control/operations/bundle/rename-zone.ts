/** Adapts a bundle of one zone to another: URL patterns must name a host of the zone that they belong to. */
import type { Bundle } from './bundle-part.ts';

export function renameZone(bundle: Bundle, to: string): Bundle {
  const { name: from } = bundle.zone;
  const { page_rules, security_tools, previous } = bundle;
  const renameUrl = (text: string): string => withHost(text, from, to);
  return {
    ...bundle,
    ...(page_rules === undefined
      ? {}
      : {
          page_rules: page_rules.map((rule) => ({
            ...rule,
            targets: rule.targets.map(({ target, constraint: { operator, value } }) => ({
              target,
              constraint: { operator, value: renameUrl(value) },
            })),
          })),
        }),
    ...(security_tools?.lockdowns === undefined
      ? {}
      : {
          security_tools: {
            ...security_tools,
            lockdowns: security_tools.lockdowns.map((rule) => ({ ...rule, urls: rule.urls.map(renameUrl) })),
          },
        }),
    ...(previous === undefined
      ? {}
      : {
          previous: {
            ...previous,
            overrides: previous.overrides.map((override) => ({
              ...override,
              urls: override.urls.map(renameUrl),
            })),
          },
        }),
  };
}

/** Maps a host of one zone to the corresponding host of the other. */
export function renameHost(host: string, from: string, to: string): string {
  return host.toLowerCase().endsWith(from.toLowerCase())
    ? `${host.slice(0, host.length - from.length)}${to}`
    : host;
}

/** The host ends where the path, the query or the port begins, or at a star that covers all of these. */
function withHost(url: string, from: string, to: string): string {
  const [, scheme = '', host = '', rest = ''] = /^((?:[a-z*]+:\/\/)?)([^/:?]*)(.*)$/is.exec(url)!;
  const [, name = '', star = ''] = /^(.*?)(\*?)$/s.exec(host)!;
  return `${scheme}${renameHost(name, from, to)}${star}${rest}`;
}
