/** One of everything that a server stores, in a separate directory. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { equal } from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import { domain } from '../wrangler/upload-site.ts';
import { makeAccount, makeBalancer, makeLists } from './make-account.ts';
import { makeStores, makeWorkers } from './make-workers.ts';
import { makeZones } from './make-zone.ts';
import { Maker } from './maker.ts';
import { checkReading, type Reading, readEverything } from './read-everything.ts';

/** A server as its ready file describes it. */
export interface ServedFacts {
  readonly api: string;
  readonly edge: string;
  readonly token: string;
  readonly account_id: string;
}

export const serveFlags = [
  ...['--allow-private-origins', 'true', '--rate-limit', 'false', '--object-writes', 'true'],
  ...['--workers-domain', domain],
];

export class Everything {
  readonly maker: Maker;
  readonly ids: Readonly<Record<string, string>>;
  readonly #edge: string;
  readonly #hasFlow: boolean;

  private constructor(maker: Maker, edge: string, ids: Readonly<Record<string, string>>, hasFlow: boolean) {
    this.maker = maker;
    this.#edge = edge;
    this.ids = ids;
    this.#hasFlow = hasFlow;
  }

  /** `hasFlow`: whether the server runs the Worker of `writeFlow`. */
  static async make(facts: ServedFacts, { hasFlow }: { readonly hasFlow: boolean }): Promise<Everything> {
    const maker = createMaker(facts);
    const lists = await makeLists(maker);
    const account = await makeAccount(maker);
    const zones = await makeZones(maker, lists);
    const balancer = await makeBalancer(maker, { ...zones, ...account });
    const stores = await makeStores(maker);
    const workers = await makeWorkers(maker, { ...zones, ...stores });
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const period = {
      since: new Date(minute - 600_000).toISOString(),
      until: new Date(minute).toISOString(),
    };
    const ids = { ...period, ...lists.ids, ...account, ...zones, ...balancer, ...stores, ...workers };
    const made = new Everything(maker, facts.edge, ids, hasFlow);
    await made.#makeByWorkers();
    return made;
  }

  /** The same data on another server. */
  at(facts: ServedFacts): Everything {
    return new Everything(createMaker(facts), facts.edge, this.ids, this.#hasFlow);
  }

  async read(): Promise<Reading> {
    const ask = (): Promise<string> => this.ask(`holder.${domain}`, '/read');
    // The edge learns of a zone a moment after the server is ready.
    await eventually(async () => (await ask()).startsWith('{'), 'the Worker answers');
    const reading = await readEverything(this.maker, this.ids, ask);
    checkReading(reading);
    if (!this.#hasFlow) return reading;
    await eventually(async () => (await this.ask(flowZone, '/')).startsWith('{'), 'the other Worker answers');
    return { ...reading, 'the Worker of the configuration': JSON.parse(await this.ask(flowZone, '/')) };
  }

  /** Resumes the waiting workflow; returns its result. */
  async finishWorkflow(): Promise<unknown> {
    equal(await this.ask(flowZone, '/pay'), 'paid');
    let status: { readonly status?: string; readonly output?: unknown } = {};
    await eventually(async () => {
      status = JSON.parse(await this.ask(flowZone, '/status'));
      return status.status === 'complete';
    }, 'the workflow ends');
    return status.output;
  }

  async ask(host: string, path: string): Promise<string> {
    const { hostname, port } = new URL(this.#edge);
    const outgoing = request({ hostname, port, path, headers: { host }, agent: false });
    outgoing.end();
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return await text(incoming);
  }

  async #makeByWorkers(): Promise<void> {
    await eventually(
      async () => (await this.ask(`holder.${domain}`, '/make')) === 'made',
      'the Worker has made what it keeps',
    );
    if (!this.#hasFlow) return;
    const { maker } = this;
    const { id: zone_id } = await maker.do(
      'zones.create',
      {},
      { name: flowZone, account: { id: maker.site.accountId } },
    );
    await maker.do('edge.update', { zone_id }, { origin: { worker: 'flow' } });
    await eventually(
      async () => (await this.ask(flowZone, '/make')) === 'made',
      'the other Worker has made its own',
    );
    await eventually(
      async () => JSON.parse(await this.ask(flowZone, '/')).invoice !== null,
      'the workflow waits for its event',
    );
  }
}

const flowZone = 'flow.example';

function createMaker({ api, token, account_id: accountId }: ServedFacts): Maker {
  return new Maker({ api, token, accountId });
}
