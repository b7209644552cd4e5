/** A zone that migrates from the legacy managed rules to managed rulesets, from the operator's view. */
import { deepEqual, equal } from 'node:assert/strict';
import type { Plan } from '#rulesets';
import type { Envelope, TestControl } from './harness.ts';

export const signatures = '1e334934fd7ae32ad705667f8c1057aa';
export const scores = 'c504870194831cd12c3fc0284f294abb';
export const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
export const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
export const comparingId = '6179ae15870a4bb7b2d480d4843b323c';

export class MigratingZone {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly #control: TestControl;

  /** The demonstration zone of the plan, if no other is meant. */
  constructor(control: TestControl, plan: Plan, id = control.zone(plan)) {
    this.#control = control;
    this.id = id;
    this.path = `/zones/${this.id}`;
    this.name = control.control.directory.zones.get(this.id)!.name;
  }

  /** The path is below that of the zone. */
  call(route: string, body?: unknown): Promise<Envelope> {
    const [method, path] = route.split(' ') as [string, string];
    return this.#control.call(`${method} ${this.path}${path}`, { body });
  }

  /** Must succeed. */
  async do(route: string, body?: unknown): Promise<Envelope> {
    const answer = await this.call(route, body);
    equal(answer.status, 200, `${route}: ${JSON.stringify(answer.errors)}`);
    return answer;
  }

  setWaf(value: 'on' | 'off'): Promise<Envelope> {
    return this.do('PATCH /settings/waf', { value });
  }

  async bypass(expression: string, more: object = {}): Promise<string> {
    const rule = { filter: { expression }, action: 'bypass', products: ['waf'], ...more };
    return (await this.do('POST /firewall/rules', [rule])).result[0].id;
  }

  /** Without `waf`: a rule about something else. The pattern is the part after the name of the zone. */
  async page(pattern: string, waf: 'on' | 'off' | undefined, more: object = {}): Promise<string> {
    const value = `${this.name}${pattern}`;
    const targets = [{ target: 'url', constraint: { operator: 'matches', value } }];
    const actions = [waf === undefined ? { id: 'ssl', value: 'full' } : { id: 'waf', value: waf }];
    return (await this.do('POST /pagerules', { targets, actions, status: 'active', ...more })).result.id;
  }

  check(phase: 1 | 2 = 2): Promise<Envelope> {
    return this.do(`GET /waf_migration/check${phase === 2 ? '?phase_two=1' : ''}`);
  }

  config(): Promise<Envelope> {
    return this.do('GET /waf_migration/config?phase_two=1');
  }

  put(query: string, body: unknown): Promise<Envelope> {
    return this.call(`PUT /rulesets/phases/http_request_firewall_managed/entrypoint${query}`, body);
  }

  /** State, legacy, new. */
  async status(): Promise<readonly string[]> {
    const { result } = await this.do('GET /waf_migration/status');
    return [result.migration_state, result.old_waf_status, result.new_waf_status];
  }

  async expectStatus(...expected: readonly string[]): Promise<void> {
    deepEqual(await this.status(), expected);
  }

  /** Lets the zone do its due tasks. */
  async settle(): Promise<void> {
    await this.#control.clock.advance(10);
  }
}

export function execute(id = managedId, more: object = {}): object {
  return { action: 'execute', expression: 'true', action_parameters: { id }, ...more };
}
