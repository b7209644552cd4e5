/**
 * Builds the request that asks an object or a server about a visitor: a GET that passes on what the rule selects, in
 * `X-Forwarded-*` and in header fields of the visitor. If the rule passes the URL on, the request to an object has the
 * visitor's URL as its own.
 */
import { BoundedMap } from '#base';
import type { Asked, Question } from '#firewall';
import type { Origin } from '../wire/exchange.ts';
import type { AskedRequest, WrittenQuestion } from './asked-response.ts';

/**
 * The value of this field is the zone name followed by the class and the name of an object. The edge always writes the
 * field itself, so no visitor can choose an object.
 */
const zoneName = 'gatehouse-zone';

export function writeQuestion(question: Question, asked: AskedRequest): WrittenQuestion {
  const { request, target, zone } = asked;
  const told = new Set(question.told);
  const { origin, host, path } = findAsked(question.asked);
  const lines = [
    ...(told.has('method') ? [`x-forwarded-method: ${request.method}`] : []),
    ...(told.has('host') ? [`x-forwarded-host: ${request.host}`] : []),
    ...(told.has('uri') ? [`x-forwarded-uri: ${target}`] : []),
    ...(told.has('address')
      ? [`x-forwarded-for: ${request.clientAddress}`, `cf-connecting-ip: ${request.clientAddress}`]
      : []),
    `x-forwarded-proto: ${request.isSecure ? 'https' : 'http'}`,
    ...writeFields(question, request.headers),
  ];
  const isObject = question.asked.kind === 'object';
  const asking = isObject ? [`${zoneName}: ${zone.name} ${writeObject(question.asked)}`] : [];
  const first = `GET ${isObject && told.has('uri') ? target : path} HTTP/1.1`;
  const text = [first, `host: ${isObject ? request.host : host}`, ...lines, ...asking].join('\r\n');
  // A request to an object always has a host field, but it is part of the cache key only if the rule passes the host
  // on.
  const keyed = isObject && !told.has('host') ? [first, ...lines, ...asking].join('\r\n') : text;
  return {
    origin,
    head: `${text}\r\ncf-ray: ${request.id}\r\n`,
    key: `${origin.host}:${origin.port} ${keyed}`,
  };
}

function writeFields({ sentFields }: Question, headers: AskedRequest['request']['headers']): string[] {
  if (sentFields.length === 0) return [];
  const sent = new Set(sentFields);
  return headers.flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return sent.has(lower) ? [`${lower}: ${value}`] : [];
  });
}

function writeObject({ className, name }: Extract<Asked, { kind: 'object' }>): string {
  return `${encodeURIComponent(className)} ${Buffer.from(name, 'latin1').toString('base64url')}`;
}

interface AskedPlace {
  readonly origin: Origin;
  readonly host: string;
  readonly path: string;
}

const placesMax = 1_000;
/** Connections are looked up by origin object, so each rule reuses its own. Rules have few targets. */
const places = new BoundedMap<string, AskedPlace>(placesMax);

function findAsked(asked: Asked): AskedPlace {
  const key = asked.kind === 'url' ? asked.url : `worker:${asked.worker}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = asked.kind === 'url' ? toPlace(new URL(asked.url)) : toWorkerPlace(asked.worker);
  places.set(key, place);
  return place;
}

function toWorkerPlace(worker: string): AskedPlace {
  return { origin: { scheme: 'http', host: `worker:${worker}`, port: 0, worker }, host: '', path: '/' };
}

function toPlace({ protocol, hostname, port, host, pathname, search }: URL): AskedPlace {
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const origin: Origin = {
    scheme,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port),
  };
  return { origin, host, path: pathname + search };
}
