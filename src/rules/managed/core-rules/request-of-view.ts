/**
 * A request in the form that SecLang rules receive: bytes as they were received, except that a compressed body is
 * decompressed.
 */
import { formatIp, type Ip } from '#addresses';
import { assert } from '#base';
import { interpretValue, parseValue, type RequestView, type Value } from '#expressions';
import type { SecRequest } from '#seclang';

function createReader<T extends Value>(field: string): (view: RequestView) => T | undefined {
  const parsed = parseValue(field);
  assert(parsed.ok, `${field} is a field`);
  return interpretValue(parsed.tree) as (view: RequestView) => T | undefined;
}

const method = createReader<string>('http.request.method');
const target = createReader<string>('raw.http.request.uri');
const version = createReader<string>('http.request.version');
const names = createReader<readonly string[]>('http.request.headers.names');
const values = createReader<readonly string[]>('http.request.headers.values');
const body = createReader<string>('http.request.body.raw');
const address = createReader<Ip>('ip.src');
const country = createReader<string>('ip.src.country');
const id = createReader<string>('cf.ray_id');

export function toSecRequest(view: RequestView): SecRequest {
  const fieldValues = values(view) ?? [];
  const ip = address(view);
  return {
    method: method(view) ?? '',
    target: target(view) || '/',
    protocol: version(view) ?? '',
    headers: (names(view) ?? []).map((name, index) => [name, fieldValues[index] ?? '']),
    body: body(view) ?? '',
    clientAddress: ip === undefined ? '' : formatIp(ip),
    // No rule of CRS reads the ports or the address of the server.
    clientPort: 0,
    serverAddress: '',
    serverPort: 0,
    country: country(view) ?? '',
    id: id(view) ?? '',
  };
}
