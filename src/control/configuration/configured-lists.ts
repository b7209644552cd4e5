/** Lists in the form that the edge compares requests with. */
import type { ConfiguredList } from '#firewall';
import type { ItemValue } from '../stores/lists/list-item.ts';
import { ListStore } from '../stores/lists/list-store.ts';
import type { Sql } from '../context/tables/sql.ts';

/** Redirect lists are left out: no expression can name them. */
export function readConfiguredLists(sql: Sql): ConfiguredList[] {
  const store = new ListStore(sql);
  return store.listAll().flatMap((list) => {
    const { name, kind } = list;
    return kind === 'redirect'
      ? []
      : [{ name, kind, items: store.readValues(list).flatMap(toComparedValues) }];
  });
}

function toComparedValues({ ip, asn, hostname }: ItemValue): (string | number)[] {
  if (hostname === undefined) return [ip ?? asn ?? []].flat();
  const { url_hostname: name, exclude_exact_hostname: isExactOut = true } = hostname;
  return name.startsWith('*.') && !isExactOut ? [name, name.slice(2)] : [name];
}
