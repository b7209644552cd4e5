/**
 * A complete server to explore: three sites with rules, three weeks of history, and a stream of visitors and attackers.
 * It is in a temporary folder that is deleted when it ends; the next demo deletes the folder of a killed one.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLog } from '#base';
import { createOwnedFolder } from '#files';
import { loadProgram, type ServeProgram, readConfig } from '#server';
import { ApiClient } from '../api/api-client.ts';
import { readVersion } from '../version.ts';
import { send, writeHistory } from './history.ts';
import { drawAddress, homes, hosters, writeCountries, writeSystems } from './networks.ts';
import { Random } from './random.ts';
import { drawAttack, drawSite, drawVisit } from './requests.ts';
import { createSites } from './sample-sites.ts';
import { Shop } from './shop.ts';

const prefix = 'gatehouse-demo-';

/** The average time between visits; one of seven is an attack. */
const visitMs = 350;
const attackShare = 1 / 7;

export interface DemoOptions {
  readonly port: string;
  readonly edgePort: string;
  /** Called with each step of the start. */
  readonly onStep: (step: string) => void;
}

export class Demo implements AsyncDisposable {
  readonly program: ServeProgram;
  readonly #folder: string;
  readonly #opened: AsyncDisposableStack;

  private constructor(program: ServeProgram, folder: string, opened: AsyncDisposableStack) {
    this.program = program;
    this.#folder = folder;
    this.#opened = opened;
  }

  static async start({ port, edgePort, onStep }: DemoOptions): Promise<Demo> {
    await using opened = new AsyncDisposableStack();
    onStep('Starting a server …');
    const folder = createOwnedFolder(prefix);
    opened.defer(() => rmSync(folder, { recursive: true, force: true }));
    const shop = opened.use(await Shop.open());
    const program = opened.use(await startServer(folder, { port, 'edge-port': edgePort }));
    const { api: url, token = '', account_id: accountId } = program.ready;
    const api = opened.use(new ApiClient({ url, headers: { authorization: `Bearer ${token}` } }));
    onStep('Creating three sites …');
    const zones = await createSites(api, shop.url);
    onStep('Writing three weeks of history …');
    await writeHistory({ api, accountId, token, zones, nowMs: Date.now() });
    const traffic = new AbortController();
    const visiting = visit(Number(new URL(program.ready.edge!).port), traffic.signal);
    opened.defer(async () => {
      traffic.abort();
      await visiting;
    });
    return new Demo(program, folder, opened.move());
  }

  /** Deletes the files at once, for a process that exits now: none of them is needed again. */
  discard(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

async function startServer(folder: string, ports: Readonly<Record<string, string>>): Promise<ServeProgram> {
  const countries = join(folder, 'countries.mmdb');
  const systems = join(folder, 'systems.mmdb');
  writeFileSync(countries, writeCountries());
  writeFileSync(systems, writeSystems());
  const config = readConfig({
    flags: {
      ...ports,
      data: join(folder, 'data'),
      'edge-workers': '0',
      'object-hosts': '1',
      'allow-private-origins': 'true',
      'rate-limit': 'false',
      'shutdown-grace': '1s',
      // Nothing of it needs to survive a crash of the machine.
      durability: 'os',
      'trusted-proxies': '127.0.0.1/32',
      'geoip-city': countries,
      'geoip-asn': systems,
    },
    file: undefined,
    // Settings in the environment belong to another server.
    environment: {},
    directory: folder,
  });
  const log = createLog({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
  return await (await loadProgram()).start({ config, log, version: readVersion() });
}

/** Runs until it is aborted. */
async function visit(port: number, signal: AbortSignal): Promise<void> {
  const random = new Random(Date.now());
  while (!signal.aborted) {
    const site = drawSite(random);
    const isAttack = random.next() < attackShare;
    await send({
      port,
      site,
      address: drawAddress(random, isAttack ? hosters : homes),
      request: isAttack ? drawAttack(random, site) : drawVisit(random, site),
      // The visitors end when the demo or its server stops.
    }).catch(() => {});
    await delay(visitMs * (0.5 + random.next()), undefined, { signal }).catch(() => {});
  }
}
