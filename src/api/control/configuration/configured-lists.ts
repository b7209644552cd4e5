/** Lists in the form that the edge matches requests against. */
import type { ConfiguredList, ConfiguredRedirect } from '#firewall';
import type { ItemValue } from '../stores/lists/list-item.ts';
import { ListStore } from '../stores/lists/list-store.ts';
import type { Sql } from '../context/tables/sql.ts';

export function readConfiguredLists(sql: Sql): ConfiguredList[] {
  const store = new ListStore(sql);
  return store.listAll().map((list): ConfiguredList => {
    const { name, kind } = list;
    const values = store.readValues(list);
    if (kind === 'redirect') return { name, kind, items: [], redirects: values.flatMap(toRedirect) };
    return { name, kind, items: values.flatMap(toComparedValues) };
  });
}

function toComparedValues({ ip, asn, hostname }: ItemValue): (string | number)[] {
  if (hostname === undefined) return [ip ?? asn ?? []].flat();
  const { url_hostname: name, exclude_exact_hostname: isExactOut = true } = hostname;
  return name.startsWith('*.') && !isExactOut ? [name, name.slice(2)] : [name];
}

function toRedirect({ redirect }: ItemValue): ConfiguredRedirect[] {
  if (redirect === undefined) return [];
  return [
    {
      source: redirect.source_url,
      target: redirect.target_url,
      status: redirect.status_code ?? 301,
      includesSubdomains: redirect.include_subdomains ?? false,
      matchesSubpaths: redirect.subpath_matching ?? false,
      keepsQuery: redirect.preserve_query_string ?? false,
      keepsPathSuffix: redirect.preserve_path_suffix ?? false,
    },
  ];
}
