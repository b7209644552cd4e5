/** Filters and firewall rules of one zone, as a client of the API sees them. */
import { equal } from 'node:assert/strict';
import type { Plan } from '#rulesets';
import type { Envelope, TestControl } from './harness.ts';

export interface FilterAnswer {
  readonly id: string;
  readonly paused: boolean;
  readonly expression: string;
  readonly description?: string;
  readonly ref?: string;
}

export interface RuleAnswer {
  readonly id: string;
  readonly action: string;
  readonly priority: number | null;
  readonly products?: readonly string[];
  readonly filter: { readonly id: string; readonly expression?: string; readonly deleted?: true };
}

export class FirewallZone {
  readonly filters: string;
  readonly rules: string;
  readonly #control: TestControl;
  readonly #zone: string;

  constructor(control: TestControl, plan: Plan) {
    this.#control = control;
    this.#zone = `/zones/${control.zone(plan)}`;
    this.filters = `${this.#zone}/filters`;
    this.rules = `${this.#zone}/firewall/rules`;
  }

  call(route: string, body?: unknown): Promise<Envelope> {
    return this.#control.call(route, { body });
  }

  async filter(content: object): Promise<FilterAnswer> {
    const answer = await this.call(`POST ${this.filters}`, [content]);
    equal(answer.status, 200, JSON.stringify(answer.errors));
    return answer.result[0];
  }

  async rule(content: object): Promise<RuleAnswer> {
    const answer = await this.call(`POST ${this.rules}`, [content]);
    equal(answer.status, 200, JSON.stringify(answer.errors));
    return answer.result[0];
  }

  /** The complete state, and the complete audit log. */
  async state(): Promise<object> {
    const audit = await this.call(`GET ${this.#zone}/audit_logs?per_page=1000`);
    equal(audit.status, 200);
    return {
      filters: await this.#all<FilterAnswer>(this.filters),
      rules: await this.#all<RuleAnswer>(this.rules),
      audit: audit.result,
    };
  }

  allFilters(): Promise<FilterAnswer[]> {
    return this.#all(this.filters);
  }

  allRules(): Promise<RuleAnswer[]> {
    return this.#all(this.rules);
  }

  /** Page after page, until one is empty. */
  async #all<T>(path: string): Promise<T[]> {
    const all: T[] = [];
    for (let page = 1; ; page++) {
      const answer = await this.call(`GET ${path}?per_page=100&page=${page}`);
      equal(answer.status, 200);
      if (answer.result.length === 0) return all;
      all.push(...(answer.result as T[]));
    }
  }
}

/** An unused id. */
export const nobody = '0'.repeat(32);
