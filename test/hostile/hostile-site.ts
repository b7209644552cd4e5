/** A server with few descriptors, a hostile uploaded Worker, and the bystanders that must not be affected. */
import { equal, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { permissionGroups } from '#contract';
import type { TestOrigin } from '../edge/test-origin.ts';
import { WorkerSite } from '../edge/worker-site.ts';
import { eventually } from '../eventually.ts';
import { Bystander, createBystanders } from '../neighbours/bystanders.ts';
import { createLimitedToken } from '../server/limited-token.ts';
import { createForm, type Upload } from '../wrangler/upload-site.ts';
import { hostileWorker } from './hostile-worker.ts';

const domain = 'workers.example';
const calmWorker = "export default { fetch: () => new Response('calm') };";
/** A hostile Worker that does not answer within this time is uploaded again. */
const answerMs = 1_000;

interface HostileParts {
  readonly site: WorkerSite;
  readonly token: string;
  readonly stranger: ChildProcess;
}

export class HostileSite {
  readonly site: WorkerSite;
  /** Of the account, with every permission to read and none to write. */
  readonly token: string;
  /** A process that has nothing to do with the server. */
  readonly stranger: ChildProcess;
  /** The host name of the hostile Worker. */
  readonly host = `hostile.${domain}`;
  #uploads = 0;

  private constructor({ site, token, stranger }: HostileParts) {
    this.site = site;
    this.token = token;
    this.stranger = stranger;
  }

  static async start(t: TestContext, origin: TestOrigin, descriptors: number): Promise<HostileSite> {
    const site = await WorkerSite.start(t, {
      descriptors,
      args: ['--workers-domain', domain, '--object-host-stuck', '5s'],
      environment: { GATEHOUSE_ADMIN_PORT: '0', GATEHOUSE_OBJECT_HOSTS: '2' },
    });
    const beside = site.findZone('business');
    await site.call('POST /zones', { name: domain, account: { id: site.ready.account_id } });
    await site.call(`PUT /zones/${beside.id}/edge`, { origin: { url: origin.url } });
    const groups = Object.values(permissionGroups)
      .filter(({ name, scope }) => scope === 'account' && name.endsWith('Read'))
      .map(({ name }) => name);
    const token = await createLimitedToken(site.ready, { groups });
    const stranger = spawn('sleep', ['7200'], { stdio: 'ignore' });
    t.after(() => stranger.kill('SIGKILL'));
    const hostile = new HostileSite({ site, token, stranger });
    await hostile.#upload('calm', { code: calmWorker });
    await hostile.#uploadHostile();
    for (const host of [hostile.host, hostile.calmHost, beside.name])
      await eventually(async () => (await site.send('/', { host })).status === 200, `${host} is served`);
    return hostile;
  }

  get calmHost(): string {
    return `calm.${domain}`;
  }

  /** The path of the objects of the account. */
  get objects(): string {
    return `/accounts/${this.site.ready.account_id}/objects`;
  }

  /** Only processes of the hostile Worker have ended. */
  checkLives(): void {
    const { server } = this.site;
    equal(server.process.exitCode ?? server.process.signalCode, null, server.stderr);
    equal(this.stranger.exitCode ?? this.stranger.signalCode, null, 'a process of somebody else was ended');
  }

  /** Including the page and another Worker; all except those of the API have their own addresses. */
  createBystanders(): readonly Bystander[] {
    const { origin } = new URL(this.site.ready.api);
    const from = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
    const readPage = async (): Promise<number> => {
      const answer = await fetch(`${origin}/`, { headers: { accept: 'text/html', connection: 'close' } });
      await answer.arrayBuffer();
      return answer.status;
    };
    return [
      ...createBystanders(this.site),
      new Bystander('the page', readPage),
      new Bystander(
        'another Worker',
        async () => (await this.site.send('/', { host: this.calmHost, from })).status,
      ),
    ];
  }

  /** Resolves when the hostile Worker serves: a new upload replaces one that was killed too often, or hangs. */
  async revive(): Promise<void> {
    if (await this.#answers()) return;
    await this.#uploadHostile();
    await eventually(() => this.#answers(), 'the hostile Worker serves again');
  }

  async #answers(): Promise<boolean> {
    const signal = AbortSignal.timeout(answerMs);
    const answer = await this.site.send('/', { host: this.host, signal }).catch(() => undefined);
    return answer?.status === 200;
  }

  async #uploadHostile(): Promise<void> {
    const isFirst = this.#uploads++ === 0;
    const migrations = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Door'] }] };
    const bindings = [{ type: 'durable_object_namespace', name: 'DOOR', class_name: 'Door' }];
    await this.#upload('hostile', {
      code: hostileWorker,
      metadata: { bindings, ...(isFirst ? { migrations } : {}) },
    });
  }

  async #upload(name: string, upload: Upload): Promise<void> {
    const { api, account_id: account, token } = this.site.ready;
    const script = `/accounts/${account}/workers/scripts/${name}`;
    const answer = await fetch(`${api}${script}?excludeScript=true&bindings_inherit=strict`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: createForm(upload),
    });
    const said = await answer.text();
    ok(answer.ok, `${name}: ${said}`);
    await this.site.call(`POST ${script}/subdomain`, { enabled: true });
  }
}
