import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createLog } from '#base';
import { fillBlock, tarEnd, writeTarHead } from '#streams';
import { createMmdb } from '../../src/traffic/edge/zones/testing.ts';
import { createRecentRequests } from '../../src/program/server/edge/recent-requests.ts';
import { GeoDownloads } from '../../src/program/server/geo/geo-downloads.ts';
import { GeoFiles } from '../../src/program/server/geo/geo-files.ts';

const countries = (code: string): Buffer =>
  Buffer.from(createMmdb('GeoLite2-City', [[[192, 0, 2], { country: { iso_code: code } }]]));

function archive(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const bytes = content.length;
    return [writeTarHead({ path, bytes }), content, fillBlock(bytes)];
  });
  return Buffer.concat([...parts, tarEnd]);
}

test('GeoDownloads puts databases in place that edges take into use, and nothing else', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-geo-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  let answer: Buffer = gzipSync(
    archive({ 'x/LICENSE.txt': Buffer.from('text'), 'x/y.mmdb': countries('DE') }),
  );
  let asked = 0;
  let isCutOff = false;
  const server = createServer((request, response) => {
    asked++;
    equal(request.headers.authorization, `Basic ${Buffer.from('1:key').toString('base64')}`);
    if (!isCutOff) return void response.end(answer);
    response.writeHead(200, { 'content-length': answer.length + 1 });
    response.write(answer, () => setImmediate(() => response.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const lines: string[] = [];
  const log = createLog({ level: 'warn', format: 'json', write: (line) => lines.push(line) });
  const settings = {
    data,
    geoipCity: undefined,
    geoipAsn: undefined,
    geoipCityFrom: `http://127.0.0.1:${(server.address() as AddressInfo).port}/city.tar.gz?license_key=secret`,
    geoipAsnFrom: undefined,
    geoipCredentials: '1:key',
  };
  using files = await GeoFiles.open(settings, log);
  equal(files.find('192.0.2.1').country, '');
  using downloads = new GeoDownloads(settings, log);
  await downloads.look();
  await files.look();
  deepEqual([files.find('192.0.2.1').country, files.hasCountries], ['DE', true]);
  await downloads.look();
  equal(asked, 1, 'it is fresh');
  const file = join(data, 'geoip', 'city.mmdb');
  const age = (): void => utimesSync(file, new Date(0), new Date(0));
  for (const bad of [
    Buffer.from('<html>no</html>'),
    gzipSync(archive({ 'a.txt': Buffer.from('x') })),
    Buffer.alloc(0),
  ]) {
    answer = bad;
    age();
    await downloads.look();
    await files.look();
    equal(files.find('192.0.2.1').country, 'DE', 'what was there stays');
  }
  // Gzip without its end, and the connection ends as well.
  answer = gzipSync(archive({ 'y.mmdb': countries('FR') })).subarray(0, -20);
  isCutOff = true;
  age();
  await downloads.look();
  isCutOff = false;
  equal(lines.length, 4);
  match(lines.join(''), /the previous one stays in use/);
  equal(lines.join('').includes('secret'), false);
  answer = countries('FR');
  age();
  await downloads.look();
  await files.look();
  equal(files.find('192.0.2.1').country, 'FR');
  deepEqual(readdirSync(join(data, 'geoip')), ['city.mmdb']);
  writeFileSync(file, 'broken by hand');
  await files.look();
  equal(files.find('192.0.2.1').country, 'FR');
});

test('createRecentRequests knows countries as the edge does, and says what no database tells', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-recent-'));
  t.after(() => rmSync(data, { recursive: true, force: true }));
  const [geoipCity, edgeAccessLog] = [join(data, 'city.mmdb'), join(data, 'access.log')];
  writeFileSync(geoipCity, countries('DE'));
  const line = (ip: string): string =>
    `${ip} - - [10/Oct/2026:13:55:36 +0000] "GET /a HTTP/1.1" 200 5 "-" "x"\n`;
  writeFileSync(edgeAccessLog, line('192.0.2.1') + line('198.51.100.1'));
  const others = { geoipAsn: undefined, geoipCityFrom: undefined, geoipAsnFrom: undefined };
  const settings = { data, edgeAccessLog, edgeAccessLogFormat: 'combined', ...others } as const;
  const log = createLog({ level: 'error', format: 'json', write: () => {} });
  const wanted = { max: 10, needsPlaces: true };

  const known = createRecentRequests({ ...settings, geoipCity }, log);
  const read = (await known.read('shop.example', wanted))!;
  deepEqual(
    read.requests.map(({ country }) => country),
    ['DE', ''],
  );
  equal(read.unknownFields.includes('ip.src.country'), false);
  equal(read.unknownFields.includes('ip.src.asnum'), true);
  const without = (await known.read('shop.example', { max: 1, needsPlaces: false }))!;
  deepEqual([without.requests.length, without.requests[0]!.country], [1, undefined]);

  const blind = createRecentRequests({ ...settings, geoipCity: undefined }, log);
  equal((await blind.read('shop.example', wanted))!.unknownFields.includes('ip.src.country'), true);
});
