/** Lists as the edge judges by them. */
import type { ConfiguredList } from '#firewall';
import type { ItemValue } from '../stores/lists/list-item.ts';
import { ListStore } from '../stores/lists/list-store.ts';
import type { Sql } from '../context/sql.ts';

/** Redirects are kept, but no expression can name them. */
export function configuredLists(sql: Sql): ConfiguredList[] {
  const store = new ListStore(sql);
  return store.all().flatMap((list) => {
    const { name, kind } = list;
    return kind === 'redirect' ? [] : [{ name, kind, items: store.values(list).flatMap(judgedBy) }];
  });
}

function judgedBy({ ip, asn, hostname }: ItemValue): (string | number)[] {
  if (hostname === undefined) return [ip ?? asn ?? []].flat();
  const { url_hostname: name, exclude_exact_hostname: isExactOut = true } = hostname;
  return name.startsWith('*.') && !isExactOut ? [name, name.slice(2)] : [name];
}
