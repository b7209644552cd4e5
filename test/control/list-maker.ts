/** Lists for tests, and waiting for their operations. */
import { equal } from 'node:assert/strict';
import type { Envelope, TestControl } from './harness.ts';

export interface MadeList {
  readonly id: string;
  readonly name: string;
  /** The path of its items. */
  readonly items: string;
}

export class ListMaker {
  readonly #control: TestControl;
  /** The path of all lists. */
  readonly lists: string;
  #made = 0;

  constructor(control: TestControl) {
    this.#control = control;
    this.lists = `/accounts/${control.control.bootstrapped!.accountId}/rules/lists`;
  }

  /** A separate list for a test. */
  async makeList(kind = 'ip'): Promise<MadeList> {
    const name = `list_${this.#made++}`;
    const { result } = await this.#control.call(`POST ${this.lists}`, { body: { name, kind } });
    return { id: result.id, name, items: `${this.lists}/${result.id}/items` };
  }

  async drop({ id }: MadeList): Promise<void> {
    equal((await this.#control.call(`DELETE ${this.lists}/${id}`)).status, 200);
  }

  /** Sends the bulk operation and waits for its end. */
  async bulk(route: string, body: unknown): Promise<Envelope> {
    const { status, result } = await this.#control.call(route, { body });
    equal(status, 201);
    return this.ended(result.operation_id);
  }

  async ended(operation: string): Promise<Envelope> {
    for (let turns = 0; turns < 100; turns++) {
      const answer = await this.statusOf(operation);
      if (answer.result.status === 'completed' || answer.result.status === 'failed') return answer;
      await this.#control.clock.advance(1);
    }
    throw new Error(`bulk operation ${operation} does not end`);
  }

  statusOf(operation: string): Promise<Envelope> {
    return this.#control.call(`GET ${this.lists}/bulk_operations/${operation}`);
  }

  /** The items of the list in canonical form. */
  async textsOf(items: string, query = ''): Promise<string[]> {
    const { result } = await this.#control.call(`GET ${items}${query}`);
    return result.map((item: { ip?: string; asn?: number; hostname?: { url_hostname: string } }) =>
      String(item.ip ?? item.asn ?? item.hostname?.url_hostname),
    );
  }
}
