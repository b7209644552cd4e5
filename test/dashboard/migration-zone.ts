/** A zone with legacy managed rules, as it is before its migration through the dashboard. */
import { equal } from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { DashboardSite, Envelope } from './dashboard-site.ts';

export const signatures = '1e334934fd7ae32ad705667f8c1057aa';

export class MigrationZone {
  readonly id: string;
  readonly name: string;
  readonly #site: DashboardSite;

  private constructor(site: DashboardSite, id: string, name: string) {
    this.#site = site;
    this.id = id;
    this.name = name;
  }

  /** With a bypass rule, a page rule, a changed mode and a setting that will be lost. */
  static async create(
    site: DashboardSite,
    name: string,
    plan: 'pro' | 'business' | 'enterprise',
  ): Promise<MigrationZone> {
    const zone = new MigrationZone(site, await site.createZone(name, plan), name);
    await zone.do('PATCH /settings/waf', { value: 'on' });
    await zone.bypass('ip.src eq 192.0.2.1', 'office');
    await zone.do('POST /pagerules', {
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/static/*` } }],
      actions: [{ id: 'waf', value: 'off' }],
      status: 'active',
    });
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/rules/100001`, { mode: 'simulate' });
    return zone;
  }

  /** The path is below that of the zone. */
  call(route: string, body?: unknown): Promise<Envelope> {
    return this.#site.call(route.replace(' ', ` /zones/${this.id}`), body);
  }

  /** Must succeed. */
  async do(route: string, body?: unknown): Promise<any> {
    const { success, errors, result } = await this.call(route, body);
    equal(success, true, `${route}: ${JSON.stringify(errors)}`);
    return result;
  }

  async bypass(expression: string, description: string): Promise<string> {
    const rule = { filter: { expression }, action: 'bypass', products: ['waf'], description };
    return (await this.do('POST /firewall/rules', [rule]))[0].id;
  }

  async readState(): Promise<string> {
    return (await this.do('GET /waf_migration/status')).migration_state;
  }

  readEntryPoint(): Promise<any> {
    return this.do('GET /rulesets/phases/http_request_firewall_managed/entrypoint');
  }

  /** The configuration that the API proposes, sent by another client. */
  async send(query: string): Promise<void> {
    const config = await this.do('GET /waf_migration/config?phase_two=1');
    await this.do(
      `PUT /rulesets/phases/http_request_firewall_managed/entrypoint?${query}&phase_two=1`,
      config,
    );
  }

  /** Opens the managed rules in a window that is signed in. */
  openManagedRules(options?: { readonly width?: number }): Promise<Page> {
    return this.#site.openSignedIn(`/zones/${this.id}/managed-rules`, options);
  }

  openUpdate(options?: { readonly width?: number }): Promise<Page> {
    return this.#site.openSignedIn(`/zones/${this.id}/managed-rules/update`, options);
  }

  visit(path: string): Promise<{ readonly status: number }> {
    return this.#site.visit(this.name, path, { 'user-agent': 'Mozilla/5.0', accept: '*/*' });
  }

  async readEvents(): Promise<readonly any[]> {
    return this.do('GET /security/events?per_page=1000');
  }

  /** Waits until the edge judges by the new rules: only then does the exception for static files record an event. */
  async waitForEdge(): Promise<void> {
    for (;;) {
      await this.visit('/static/x');
      if ((await this.readEvents()).some(({ source }) => source === 'firewallManaged')) return;
    }
  }
}
