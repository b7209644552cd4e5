/** A zone that obtains its certificate automatically, from an authority of the test. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { DnsSettings } from '#certificates';
import { VirtualClock } from '#objects';
import { type AcmeSettings, noAcme } from '../../src/api/control/context/acme-settings.ts';
import type { ControlOptions } from '#control';
import { type Envelope, TestControl } from '../control/harness.ts';
import { eventually } from '../eventually.ts';
import { TestAuthority } from './test-authority.ts';

interface SiteOptions extends Partial<Omit<ControlOptions, 'acme'>> {
  readonly days?: number;
  readonly dns?: TestRecords;
  /** Further settings. */
  readonly acme?: (authority: TestAuthority) => Partial<AcmeSettings>;
  /** By how much the clock of the server is ahead of that of the authority. */
  readonly aheadMs?: number;
}

/** A zone whose names are proven by the responses of its edges: every token with the thumbprint of the account. */
export class CertificateSite {
  control: TestControl;
  readonly authority: TestAuthority;
  readonly zone: string;
  readonly name: string;
  /** Whether the names point here. */
  isServed = true;

  private constructor(control: TestControl, authority: TestAuthority) {
    this.control = control;
    this.authority = authority;
    this.zone = control.zone('enterprise');
    this.name = control.control.directory.zones.get(this.zone)!.name;
  }

  static async start(
    t: TestContext,
    { days = 90, dns, acme, aheadMs = 0, ...options }: SiteOptions = {},
  ): Promise<CertificateSite> {
    let site: CertificateSite | undefined;
    const startMs = new VirtualClock().now();
    const server = createServer((request, response) => {
      const token = request.url!.split('/').at(-1)!;
      response.end(site!.isServed ? `${token}.${authority.orders.at(-1)!.thumbprint}` : 'another site');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const authority = await TestAuthority.listen({
      findsAt: () => ({ host: '127.0.0.1', port }),
      now: () => (site?.control.clock.now() ?? startMs) - aheadMs,
      days,
      ...(dns && { findsRecords: (record: string) => dns.records.get(`${record}.`) ?? [] }),
    });
    const control = await TestControl.open({
      ...options,
      acme: { ...trust(authority), dns: dns?.settings, ...acme?.(authority) },
    });
    site = new CertificateSite(control, authority);
    t.after(async () => {
      await site.control.close();
      await authority[Symbol.asyncDispose]();
      server.closeAllConnections();
      server.close();
    });
    return site;
  }

  async restart(): Promise<void> {
    this.control = await this.control.restart({ acme: trust(this.authority) });
  }

  edit(body: object): Promise<Envelope> {
    return this.control.call(`PATCH /zones/${this.zone}/ssl/universal/settings`, { body });
  }

  /** A zone that hits a full disk reports it once; then it is opened again. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  async readPack(): Promise<any> {
    let { result } = await this.#askForPacks();
    await eventually(async () => {
      if (result === null) ({ result } = await this.#askForPacks());
      return result !== null;
    }, 'an answer of the zone');
    return result[0];
  }

  #askForPacks(): Promise<Envelope> {
    return this.control.call(`GET /zones/${this.zone}/ssl/certificate_packs?status=all`);
  }

  /** Advances time until the next task is due, and waits until it is done. */
  async passNextAttempt(): Promise<void> {
    const { next_attempt_on: next } = await this.readPack();
    const ms = Date.parse(next) - this.control.clock.now() + 1_000;
    await this.pass(ms, ({ next_attempt_on: after }) => after !== next);
  }

  /** Lets the alarm of the zone run, and waits for the authority. */
  async pass(
    ms: number,
    isDone: (pack: Awaited<ReturnType<CertificateSite['readPack']>>) => boolean,
  ): Promise<void> {
    await this.control.clock.advance(ms);
    await eventually(async () => isDone(await this.readPack()));
  }
}

/** Text records that a webhook changes. */
export interface TestRecords {
  readonly records: Map<string, readonly string[]>;
  readonly settings: DnsSettings;
}

export async function openRecords(t: TestContext): Promise<TestRecords> {
  const records = new Map<string, readonly string[]>();
  const server = createServer(async (request, response) => {
    const { fqdn, value } = (await json(request)) as { readonly fqdn: string; readonly value: string };
    const others = (records.get(fqdn) ?? []).filter((each) => each !== value);
    records.set(fqdn, request.url === '/present' ? [...others, value] : others);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { records, settings: { place: `http://127.0.0.1:${port}`, key: undefined, waitMs: 0 } };
}

function trust({ directory, trusted }: TestAuthority): AcmeSettings {
  return { ...noAcme, directories: [directory], trusted };
}
