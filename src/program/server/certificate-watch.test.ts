import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { Control, ZoneCertificate } from '#control';
import { writePrometheus } from '#metrics';
import { CertificateWatch } from './certificate-watch.ts';

const dayMs = 86_400_000;
const expiresAtMs = Date.parse('2027-01-31T00:00:00Z');

function describeCertificate(part: Partial<ZoneCertificate>): ZoneCertificate {
  return {
    zoneId: 'one',
    id: 'certificate',
    source: 'universal',
    hosts: ['shop.example'],
    expiresAtMs,
    warnAtMs: expiresAtMs - 18 * dayMs,
    problem: null,
    state: 'active',
    ...part,
  };
}

class Watched {
  certificates: ZoneCertificate[] = [];
  nowMs = 0;
  readonly said: string[] = [];
  readonly watch: CertificateWatch;

  constructor() {
    const say = (message: string): void => void this.said.push(message);
    const directory = {
      zones: new Map([['one', { name: 'shop.example' }]]),
    } as unknown as Control['directory'];
    this.watch = new CertificateWatch({
      log: { debug: say, info: say, warn: say, error: say },
      control: () => ({ directory, listCertificates: async () => this.certificates }),
      now: () => this.nowMs,
    });
  }

  write(): string {
    return this.watch.metrics.map((metric) => writePrometheus(metric.read())).join('');
  }
}

test('CertificateWatch counts certificates by state, and says when they expire', async () => {
  const watched = new Watched();
  watched.certificates = [
    describeCertificate({}),
    describeCertificate({ id: 'other', state: 'pending', expiresAtMs: null }),
  ];
  await watched.watch.look();
  const lines = watched
    .write()
    .split('\n')
    .filter((line) => !line.startsWith('#') && !line.endsWith(' 0'));
  deepEqual(lines, [
    'gatehouse_certificates{state="pending"} 1',
    'gatehouse_certificates{state="active"} 1',
    `gatehouse_certificate_expiry_timestamp_seconds{zone="shop.example"} ${expiresAtMs / 1_000}`,
    '',
  ]);
  deepEqual(await watched.watch.listWarnings(), []);
  deepEqual(watched.said, []);
});

test('CertificateWatch says what an authority refuses: when it begins, and once a day', async () => {
  const watched = new Watched();
  watched.certificates = [describeCertificate({ state: 'expiring', problem: 'no\nsuch name' })];
  const said =
    'the certificate of shop.example expires on 2027-01-31T00:00:00.000Z and has not been replaced: no such name';
  for (const hours of [0, 1, 23, 24, 25]) {
    watched.nowMs = hours * 3_600_000;
    await watched.watch.look();
  }
  deepEqual(watched.said, [said, said]);
  deepEqual(await watched.watch.listWarnings(), [said]);
  watched.certificates = [describeCertificate({ state: 'expired', source: 'uploaded' })];
  await watched.watch.look();
  equal(
    watched.said.at(-1),
    'the certificate of shop.example has expired on 2027-01-31T00:00:00.000Z: upload the next one',
  );
});

test('CertificateWatch keeps what it knows while the control plane does not answer', async () => {
  const watched = new Watched();
  watched.certificates = [describeCertificate({})];
  await watched.watch.look();
  watched.certificates = undefined as never;
  const broken = Object.defineProperty(watched, 'certificates', {
    get() {
      throw new Error('away');
    },
  });
  await broken.watch.look();
  equal(broken.write().includes('state="active"} 1'), true);
});
