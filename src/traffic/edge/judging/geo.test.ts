import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openGeoDatabase } from './geo.ts';
import { createMmdb } from '../zones/testing.ts';

const berlin = {
  city: { names: { en: 'Berlin' } },
  continent: { code: 'EU' },
  country: { iso_code: 'DE', is_in_european_union: true },
  location: { latitude: 52.5, longitude: 13.4, time_zone: 'Europe/Berlin' },
  postal: { code: '10115' },
  subdivisions: [{ iso_code: 'BE', names: { en: 'State of Berlin' } }],
};

function files(t: TestContext): { readonly city: string; readonly asn: string } {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-geo-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const city = join(directory, 'city.mmdb');
  const asn = join(directory, 'asn.mmdb');
  writeFileSync(
    city,
    createMmdb('GeoLite2-City', [
      [[192, 0, 2], berlin],
      [[198, 51, 100], { country: { iso_code: 'FR' } }],
    ]),
  );
  const network = { autonomous_system_number: 64_496, autonomous_system_organization: 'Example' };
  writeFileSync(asn, createMmdb('GeoLite2-ASN', [[[192, 0, 2], network]]));
  return { city, asn };
}

test('openGeoDatabase finds the location and the network of an address', async (t) => {
  const found = (await openGeoDatabase(files(t))).find('192.0.2.77');
  deepEqual([found.country, found.asn, found.asnDescription], ['DE', 64_496, 'Example']);
  const keys = [
    'ip.src.continent',
    'ip.src.city',
    'ip.src.lat',
    'ip.src.postal_code',
    'ip.src.region',
    'ip.src.region_code',
    'ip.src.subdivision_1_iso_code',
    'ip.src.subdivision_2_iso_code',
    'ip.src.timezone.name',
    'ip.src.is_in_european_union',
    'http.host',
  ];
  deepEqual(
    keys.map((key) => found.read(key)),
    [
      'EU',
      'Berlin',
      '52.5',
      '10115',
      'State of Berlin',
      'BE',
      'DE-BE',
      undefined,
      'Europe/Berlin',
      true,
      undefined,
    ],
  );
});

test('openGeoDatabase derives the European Union from the country if a database does not contain it', async (t) => {
  const found = (await openGeoDatabase(files(t))).find('198.51.100.1');
  deepEqual([found.country, found.read('ip.src.is_in_european_union')], ['FR', undefined]);
});

test('openGeoDatabase returns defaults for other addresses, and without files', async (t) => {
  const { city } = files(t);
  for (const database of [await openGeoDatabase({ city }), await openGeoDatabase({})]) {
    const found = database.find('203.0.113.1');
    deepEqual([found.country, found.asn, found.asnDescription], ['', undefined, '']);
    equal(found.read('ip.src.city'), undefined);
  }
});

test('openGeoDatabase refuses a file that is not a database', async () => {
  await rejects(
    openGeoDatabase({ asn: import.meta.filename }),
    /geo\.test\.ts cannot be read as a MaxMind database/,
  );
});
