/** Lists as the API returns them, and items as users paste them: one on each line. */
import type { Result, Sent } from '#client';
import { countThings } from '../../parts/reading/count-things.ts';

export type ListKind = List['kind'];

export type List = Result<'lists.get'>;

export type Item = Result<'lists.listItems'>[number];

/** Examples of pasted items, by kind. */
export const examples: Readonly<Record<ListKind, string>> = {
  ip: '192.0.2.7\n198.51.100.0/24 # office\n2001:db8::/32',
  hostname: 'www.example.com\nshop.example.com # campaign',
  asn: '64496\nAS64511 # hoster',
  redirect: 'example.com/old https://example.com/new 301 # moved',
};

export const kindNames: Readonly<Record<ListKind, string>> = {
  ip: 'Addresses and ranges',
  hostname: 'Host names',
  asn: 'Networks (AS numbers)',
  redirect: 'Redirects',
};

/** The names of a list in calls. */
export interface ListNames {
  readonly account_id: string;
  readonly list_id: string;
}

export function describeItem({ ip, hostname, asn, redirect }: Item): string {
  if (ip !== undefined) return ip;
  if (hostname !== undefined) return hostname.url_hostname;
  if (asn !== undefined) return `AS${asn}`;
  const { source_url = '', target_url = '', status_code } = redirect ?? {};
  return `${source_url} → ${target_url}${status_code === undefined ? '' : ` (${status_code})`}`;
}

export function formatItems(count: number): string {
  return countThings(count, 'item');
}

export function formatRules(count: number): string {
  return countThings(count, 'rule');
}

type NewItem = Sent<'lists.appendItems'>[number];

export interface ReadLines {
  readonly items: readonly NewItem[];
  /** The number of the line that each item is on, so that a refusal can name it. */
  readonly lineOfItem: readonly number[];
  readonly problems: readonly string[];
}

/** `value # comment` on each line; the server validates the values. */
export function readLines(text: string, kind: ListKind): ReadLines {
  const items: NewItem[] = [];
  const lineOfItem: number[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const [, value = '', comment = ''] = /^([^#]*)(?:#(.*))?$/.exec(line.trim()) ?? [];
    if (value.trim() === '') continue;
    const item = readItem(value.trim(), kind);
    if (typeof item === 'string') problems.push(`Line ${index + 1}: ${item}`);
    else {
      items.push({ ...item, ...(comment.trim() === '' ? {} : { comment: comment.trim() }) });
      lineOfItem.push(index + 1);
    }
  }
  return { items, lineOfItem, problems };
}

const redirectCodes = [301, 302, 307, 308] as const;

function readItem(value: string, kind: ListKind): NewItem | string {
  if (kind === 'ip') return { ip: value };
  if (kind === 'hostname') return { hostname: { url_hostname: value } };
  if (kind === 'asn') {
    const number = /^(?:AS)?(\d{1,10})$/i.exec(value)?.[1];
    return number === undefined ? `${value} is not an AS number` : { asn: Number(number) };
  }
  const [source = '', target, status] = value.split(/\s+/);
  if (target === undefined) return 'a redirect needs a source and a target, separated by a space';
  const code = redirectCodes.find((each) => String(each) === status);
  if (status !== undefined && code === undefined) return `${status} is not 301, 302, 307 or 308`;
  return {
    redirect: {
      source_url: source,
      target_url: target,
      ...(code === undefined ? {} : { status_code: code }),
    },
  };
}
