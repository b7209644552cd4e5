/**
 * The subjects of operations: ids of resources created for the walk, and of those created for a single call that
 * removes them.
 */
import { operations } from '#contract';
import type { Everything } from '../../test/everything/everything.ts';
import type { Made, Maker, Params } from '../../test/everything/maker.ts';
import { findParams } from '../../test/everything/read-everything.ts';
import { createForm } from '../../test/wrangler/upload-site.ts';
import { bodies, type Ids } from './bodies.ts';

type OperationId = keyof typeof operations;

export interface Subject {
  readonly params: Params;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Made;
}

/** Operations that need a separate resource although they do not delete it. */
const alone: ReadonlySet<string> = new Set(['rulesets.editRule', 'accountRulesets.editRule']);

const queries: Readonly<Record<string, (ids: Ids) => Readonly<Record<string, unknown>>>> = {
  'filters.validateExpression': () => ({ expression: 'ip.src eq 192.0.2.1' }),
  'filters.deleteMany': (ids) => ({ id: [ids['spare_filter_id']] }),
  'd1.restore': (ids) => ({ bookmark: ids['bookmark'] }),
};

export class Subjects {
  readonly #maker: Maker;
  readonly #ids: Ids;
  /** Names of the settings of a zone. */
  readonly settings: ReadonlySet<string>;
  #number = 0;

  private constructor(maker: Maker, ids: Ids, settings: ReadonlySet<string>) {
    this.#maker = maker;
    this.#ids = ids;
    this.settings = settings;
  }

  static async open({ maker, ids }: Everything): Promise<Subjects> {
    const legacy = { zone_id: ids['legacy_zone_id']! };
    const [spare] = await maker.do('filters.create', legacy, [{ expression: 'ip.src eq 192.0.2.8' }]);
    const groups: Made = await maker.do('tokens.listPermissionGroups');
    const rules: Made = await maker.do('firewallRules.list', legacy);
    const { queue_id } = await maker.do('queues.create', {}, { queue_name: 'pulled' });
    await maker.do('queues.createConsumer', { queue_id }, { type: 'http_pull' });
    await maker.do('queues.send', { queue_id }, { body: 'walked', content_type: 'text' });
    const pulled = await maker.do('queues.pull', { queue_id }, { batch_size: 1 });
    await maker.do('queues.send', { queue_id }, { body: 'walked', content_type: 'text' });
    const { package_id, group_id } = ids as Readonly<Record<'package_id' | 'group_id', string>>;
    const group = await maker.do('wafGroups.get', { ...legacy, package_id, group_id });
    const settings: Made = await maker.do('settings.list', { zone_id: ids['zone_id']! });
    const { bookmark } = await maker.do('d1.getBookmark', { database_id: ids['database_id']! });
    const more = {
      account_id: maker.site.accountId,
      permission_group_id: groups.find(({ name }: Made) => name === 'Zone Read').id,
      firewall_filter_id: rules.find(({ id }: Made) => id === ids['firewall_rule_id']).filter.id,
      pulled_queue_id: queue_id,
      lease_id: pulled.messages[0].lease_id,
      bookmark,
      spare_filter_id: spare.id,
      other_group_mode: group.mode === 'on' ? 'off' : 'on',
      binding_name: 'SECRET',
      page_id: 'waf_block',
      rule_tag: 'none',
    };
    const known = new Set<string>(settings.map(({ id }: Made) => id));
    return new Subjects(maker, { ...ids, ...more }, known);
  }

  /** `fixed`: parts of the path that the SDK writes itself. */
  async take(id: OperationId, fixed: Params): Promise<Subject> {
    this.#number += 1;
    const { method, path } = operations[id];
    const params: Record<string, string> = { ...findParams(id, path, this.#ids), ...fixed };
    if (['queues.pull', 'queues.ack'].includes(id)) params['queue_id'] = this.#ids['pulled_queue_id']!;
    if (method === 'DELETE' || alone.has(id)) Object.assign(params, await this.#make(id, params));
    if (id.startsWith('certificatePacks.')) params['zone_id'] = this.#ids['legacy_zone_id']!;
    if (id === 'queues.createConsumer') params['queue_id'] = await this.#create('queues.create', {});
    const last = /\{(\w+)\}$/.exec(path)?.[1];
    if (last !== undefined && params[last] === undefined) params[last] = await this.#findFirst(path, params);
    const body = this.#body(id) ?? (await this.#read(id, params));
    return { params, query: queries[id]?.(this.#ids) ?? {}, body };
  }

  #body(id: OperationId): Made {
    return bodies[id]?.(this.#number, this.#ids);
  }

  /** The result of the read is sent back. */
  async #read(id: OperationId, params: Params): Promise<Made> {
    const { method, path } = operations[id];
    const reader = find('GET', path);
    if (!['PUT', 'PATCH'].includes(method) || reader === undefined) return undefined;
    const answer = await this.#maker.send(reader, params);
    return answer.ok ? ((await answer.json()) as { readonly result: Made }).result : undefined;
  }

  async #make(id: OperationId, params: Params): Promise<Params> {
    const name = `walk-${this.#number}`;
    const [, above, last] = /^(.*)\/\{(\w+)\}$/.exec(operations[id].path) ?? [];
    if (last === 'script_name') {
      await this.#maker.do(
        'workers.upload',
        { script_name: name },
        createForm({ code: 'export default { fetch() {} };' }),
      );
      return { script_name: name };
    }
    if (last === 'secret_name') {
      const { name: secret_name } = await this.#maker.do(
        'workers.putSecret',
        params,
        this.#body('workers.putSecret'),
      );
      return { secret_name };
    }
    if (id === 'rulesets.delete') {
      const phase = { ...params, ruleset_phase: 'http_request_origin' };
      const { id: ruleset_id } = await this.#maker.do('rulesets.updateEntryPoint', phase, { rules: [] });
      return { ruleset_id };
    }
    if (last === 'key_name' || last === 'object_key') {
      const put = last === 'key_name' ? 'kv.writeValue' : 'r2.writeObject';
      await this.#maker.do(put, { ...params, [last]: name }, 'walked');
      return { [last]: name };
    }
    if (last === 'consumer_id') {
      const queue_id = await this.#create('queues.create', {});
      return { queue_id, consumer_id: await this.#create('queues.createConsumer', { queue_id }) };
    }
    if (last === 'domain_id') return { domain_id: await this.#create('workers.attachDomain', {}) };
    const create = above === undefined ? undefined : find('POST', above);
    return create === undefined ? {} : { [last!]: await this.#create(create, params) };
  }

  /** Returns its id. */
  async #create(id: OperationId, params: Params): Promise<string> {
    const result = await this.#maker.do(id, params, this.#body(id));
    const made = Array.isArray(result) ? result[0] : id.endsWith('.addRule') ? result.rules.at(-1) : result;
    return String(made.id ?? made.uuid ?? made.consumer_id ?? made.queue_id ?? made.name);
  }

  async #findFirst(path: string, params: Params): Promise<string> {
    const list = find('GET', path.replace(/\/\{\w+\}$/, ''));
    const result = list === undefined ? [] : await this.#maker.do(list, params);
    return String(result[0]?.id ?? 'none');
  }
}

function find(method: string, path: string): OperationId | undefined {
  const found = Object.entries(operations).find(([, each]) => each.method === method && each.path === path);
  return found?.[0] as OperationId | undefined;
}
