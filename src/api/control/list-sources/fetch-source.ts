/** Fetches the items of a list from its source. */
import { isObject } from '#base';
import type { ListKind } from '#rulesets';
import { OriginRules, sendRequest } from '#outbound';
import type { OutboundSettings } from '../context/environment.ts';
import type { GivenItem } from '../stores/lists/list-item.ts';
import type { ListSource } from '../stores/lists/list-sources.ts';
import { readItems, toItems } from './read-items.ts';

const answerMsMax = 30_000;
/** Enough for ten thousand items with long remarks. */
const answerBytesMax = 8 * 1024 * 1024;
const redirectsMax = 3;

export interface FetchedSource {
  /** Undefined if nothing has changed. */
  readonly items: readonly GivenItem[] | undefined;
  readonly validators: ListSource['validators'];
}

interface FetchOptions {
  readonly kind: ListKind;
  readonly key: string | undefined;
  readonly itemsMax: number;
  readonly outbound: OutboundSettings;
}

/** Rejects with the problem; the list does not change. */
export async function fetchSource(
  { kind: from, url, validators }: ListSource,
  { kind, key, itemsMax, outbound }: FetchOptions,
): Promise<FetchedSource> {
  const isCrowdSec = from === 'crowdsec';
  const { etag, modified } = validators;
  const { status, headers, body } = await sendRequest({
    url: isCrowdSec ? `${url.replace(/\/+$/, '')}/v1/decisions/stream?startup=true` : url,
    headers: {
      accept: isCrowdSec ? 'application/json' : 'text/plain, text/csv, application/json',
      ...(key === undefined ? {} : isCrowdSec ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(modified === undefined ? {} : { 'if-modified-since': modified }),
    },
    rules: new OriginRules(outbound.origins ?? {}),
    timeoutMs: answerMsMax,
    bytesMax: answerBytesMax,
    redirectsMax: isCrowdSec ? 0 : redirectsMax,
  });
  if (status === 304) return { items: undefined, validators };
  if (status !== 200) throw new Error(`it answered ${status}`);
  const text = body.toString('utf8');
  return {
    items: isCrowdSec ? readDecisions(text, kind, itemsMax) : readItems(text, kind, itemsMax),
    validators: isCrowdSec ? {} : readValidators(headers),
  };
}

function readValidators(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ListSource['validators'] {
  const read = (name: string): string | undefined => {
    const value = headers[name];
    return typeof value === 'string' && value.length <= 200 ? value : undefined;
  };
  const [etag, modified] = [read('etag'), read('last-modified')];
  return { ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) };
}

const scopes: Readonly<Partial<Record<ListKind, readonly string[]>>> = {
  ip: ['ip', 'range'],
  asn: ['as'],
};

/** All bans in force. An empty answer is valid. */
function readDecisions(text: string, kind: ListKind, itemsMax: number): GivenItem[] {
  const parsed: unknown = JSON.parse(text);
  const decisions = isObject(parsed) ? (parsed as { readonly new?: unknown }).new : undefined;
  if (decisions !== null && !Array.isArray(decisions))
    throw new Error('it is not a response of a CrowdSec local API');
  const values: string[] = [];
  for (const decision of (decisions ?? []) as unknown[]) {
    const { scope, type, value } = (isObject(decision) ? decision : {}) as Record<string, unknown>;
    const isWanted = type === 'ban' && scopes[kind]?.includes(String(scope).toLowerCase()) === true;
    if (isWanted && typeof value === 'string') values.push(value);
  }
  return toItems(values, kind, itemsMax);
}
